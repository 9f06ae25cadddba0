/** Removes the oldest entries of a map while it has more than `most`. */
export function keepAtMost(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
