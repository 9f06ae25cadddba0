/**
 * Creates a function that runs work one at a time, in order. Work that fails does not stop the
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
