/** Forgets what was put into a map first while it holds more than `most`. */
export function keepAtMost(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
