/**
 * Caches the result of `compute` for each object as long as the object lives: records, sites and
 * databases are never replaced in place, and a changed copy is another object. The result may
 * itself be filled over time.
 */
export function memoize<Key extends object, Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const cache = new WeakMap<Key, { result: Result }>();
  return (key) => {
    let entry = cache.get(key);
    if (!entry) cache.set(key, (entry = { result: compute(key) }));
    return entry.result;
  };
}
