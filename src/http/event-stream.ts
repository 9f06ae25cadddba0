/** Interval in ms of the comments that keep an idle stream open. */
const PAUSE_MS = 15_000;

/**
 * A response with one server-sent event per value. It waits for the first value, so that earlier
 * errors are thrown and answered like any other. @param leave called when the client disconnects
 * @param faultOf the last value after a later error
 */
export async function eventStream(
  values: AsyncIterator<unknown, unknown, undefined>,
  leave: () => void,
  faultOf: (thrown: unknown) => unknown,
): Promise<Response> {
  let next = await values.next();
  const encoder = new TextEncoder();
  let pause: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      const write = (text: string) => {
        stream.enqueue(encoder.encode(text));
      };
      const writeValue = (value: unknown) => {
        write(`data: ${JSON.stringify(value)}\n\n`);
      };
      pause = setInterval(() => {
        write(':\n\n');
      }, PAUSE_MS).unref();
      const writeAll = async () => {
        for (; !next.done; next = await values.next()) writeValue(next.value);
      };
      void writeAll()
        .catch((thrown: unknown) => {
          writeValue(faultOf(thrown));
        })
        .finally(() => {
          clearInterval(pause);
          stream.close();
        })
        // The client has disconnected.
        .catch(() => undefined);
    },
    cancel() {
      clearInterval(pause);
      leave();
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  });
}
