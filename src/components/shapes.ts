/** Chart shapes, generated from a seed: the same name always produces the same coast. */

/** A repeatable sequence of numbers from 0 to 1 (mulberry32, seeded with FNV-1a). */
function createRandomGenerator(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixedState = Math.imul(state ^ (state >>> 15), 1 | state);
    mixedState =
      (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState;
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Point = readonly [x: number, y: number];

const formatPoints = (...points: Point[]) =>
  points.map(([x, y]) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`).join(' ');
const midpointOf = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2];

/** SVG path of a smooth closed line around the points. */
function toClosedPath(points: readonly Point[]): string {
  const start = midpointOf(points.at(-1)!, points[0]!);
  return `M${formatPoints(start)}${points.map((point, index) => `Q${formatPoints(point, midpointOf(point, points[(index + 1) % points.length]!))}`).join('')}Z`;
}

/**
 * SVG path of a smooth open line through the midpoints between the points, from the first to the
 * last.
 */
export function toOpenPath(points: readonly Point[]): string {
  const inner = points
    .slice(1, -1)
    .map((point, index) => `Q${formatPoints(point, midpointOf(point, points[index + 2]!))}`);
  return `M${formatPoints(points[0]!)}${inner.join('')}L${formatPoints(points.at(-1)!)}`;
}

/**
 * An island with its depth contours, from the coast outward: `count` closed paths around (`x`,
 * `y`). `radius` is the mean radius of the coast, `step` the distance between rings.
 */
export function createIslandRings(
  seed: string,
  {
    x,
    y,
    radius,
    step,
    count,
  }: { x: number; y: number; radius: number; step: number; count: number },
): string[] {
  const nextRandom = createRandomGenerator(seed);
  const waves = [2, 3, 4, 5].map((frequency) => ({
    frequency,
    phase: nextRandom() * Math.PI * 2,
    size: (0.55 * (0.4 + nextRandom())) / frequency ** 1.15,
  }));
  const POINTS_PER_RING = 28;
  return Array.from({ length: count }, (_, ring) => {
    const damping = 1 / (1 + ring * 0.42);
    const points = Array.from({ length: POINTS_PER_RING }, (_, index): Point => {
      const angle = (index / POINTS_PER_RING) * Math.PI * 2;
      const wave = waves.reduce(
        (sum, { frequency, phase, size }) =>
          sum + size * damping ** (frequency / 3) * Math.cos(frequency * angle + phase),
        0,
      );
      const contourRadius = (radius + ring * step) * Math.max(0.45, 1 + wave * 0.62);
      return [
        x + Math.cos(angle) * contourRadius * 1.12,
        y + Math.sin(angle) * contourRadius * 0.92,
      ];
    });
    return toClosedPath(points);
  });
}

/**
 * How far a vertical coastline lies from the edge at a given height. The coastline has wide bays
 * with small coves.
 */
export function createCoastline(seed: string): (y: number) => number {
  const nextRandom = createRandomGenerator(seed);
  const waves = [620, 290, 150, 74].map((length, index) => ({
    length,
    phase: nextRandom() * Math.PI * 2,
    size: [26, 17, 9, 4][index]!,
  }));
  return (y) =>
    waves.reduce(
      (sum, { length, phase, size }) => sum + size * Math.sin((y / length) * Math.PI * 2 + phase),
      0,
    );
}
