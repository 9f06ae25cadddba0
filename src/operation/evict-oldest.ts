/** Removes the oldest entries from a map until at most `maxSize` remain. */
export function evictOldest(map: Map<string, unknown>, maxSize: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= maxSize) return;
    map.delete(oldest);
  }
}
