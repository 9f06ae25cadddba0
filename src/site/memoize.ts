/**
 * Caches the result of `compute` for each object until the object is garbage-collected. Records,
 * sites and databases are never changed in place: a change creates a new object. The result may
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
