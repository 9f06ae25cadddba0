/**
 * Creates a function that runs tasks one at a time, in order. A failed task does not stop the
 * queue.
 */
export function createQueue() {
  let tail: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = tail.then(work);
    tail = result.catch(() => undefined);
    return result;
  };
}
