/** Interval of the comments that keep an idle stream open, in ms. */
const KEEP_ALIVE_MS = 15_000;

/**
 * A response with one server-sent event per value. It waits for the first value, so that an error
 * before that becomes an ordinary error response.
 * @param onDisconnect called when the client disconnects
 * @param toErrorValue creates the last event after a later error
 */
export async function createEventStreamResponse(
  values: AsyncIterator<unknown, unknown, undefined>,
  onDisconnect: () => void,
  toErrorValue: (thrown: unknown) => unknown,
): Promise<Response> {
  let next = await values.next();
  const encoder = new TextEncoder();
  let keepAliveTimer: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      const write = (text: string) => {
        stream.enqueue(encoder.encode(text));
      };
      const writeValue = (value: unknown) => {
        write(`data: ${JSON.stringify(value)}\n\n`);
      };
      keepAliveTimer = setInterval(() => {
        write(':\n\n');
      }, KEEP_ALIVE_MS).unref();
      const writeAll = async () => {
        try {
          for (; !next.done; next = await values.next()) writeValue(next.value);
        } finally {
          // After a disconnect, writing fails, and without this the source would keep its wait
          // slot.
          await values.return?.();
        }
      };
      void writeAll()
        .catch((thrown: unknown) => {
          writeValue(toErrorValue(thrown));
        })
        .finally(() => {
          clearInterval(keepAliveTimer);
          stream.close();
        })
        // The client has disconnected.
        .catch(() => undefined);
    },
    cancel() {
      clearInterval(keepAliveTimer);
      onDisconnect();
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  });
}
