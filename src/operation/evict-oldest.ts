/** Removes the oldest entries of a map until it has at most `maxSize`. */
export function evictOldest(map: Map<string, unknown>, maxSize: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= maxSize) return;
    map.delete(oldest);
  }
}
