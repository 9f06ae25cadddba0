/**
 * Caches the result of `compute` for each object until the object is garbage-collected. This is
 * safe for records, sites and databases, because they are never changed in place. The result may
 * itself be a cache.
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
