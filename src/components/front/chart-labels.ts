import { sortByRank, type Registry } from '../../site/registry.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';

/**
 * Maximum number of names on one shore of the chart; a larger network shows its first subsites that
 * take requests.
 */
const MAX_LABELS_PER_SHORE = 30;

/**
 * Character widths in pixels, rounded up, by kind of character; the first matching kind applies.
 */
const CHARACTER_WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijlI]/, 4],
  [/[frt -]/, 6],
  [/[mwMW]/, 14],
  [/[\p{Lu}&]/u, 10.5],
  [/./, 9],
];

const widthOf = (character: string): number =>
  CHARACTER_WIDTHS.find(([pattern]) => pattern.test(character))![1];

const estimateWidth = (name: string): number =>
  Array.from(name, widthOf).reduce((sum, width) => sum + width, 0);

/** A title without the network’s name. */
function shortenTitle({ title }: Subsite, { network }: Registry): string {
  if (title.startsWith(`${network.name} `)) return title.slice(network.name.length + 1);
  const ending = ` at ${network.name}`;
  return title.endsWith(ending) ? title.slice(0, -ending.length) : title;
}

/**
 * A subsite’s full title on the chart, but without the network’s name: on one line if it fits the
 * width of the land in pixels; otherwise, on two lines of about the same length.
 */
export function wrapChartName(subsite: Subsite, registry: Registry, landWidth: number): string[] {
  const name = shortenTitle(subsite, registry);
  if (estimateWidth(name) <= landWidth) return [name];
  const spaces = [...name.matchAll(/ /g)].map(({ index }) => index);
  const [middle] = spaces.toSorted(
    (one, other) => Math.abs(one - name.length / 2) - Math.abs(other - name.length / 2),
  );
  return middle === undefined ? [name] : [name.slice(0, middle), name.slice(middle + 1)];
}

/**
 * The subsites named on the two shores of the network’s chart, with related ones next to each
 * other. Subsites in the misc category appear only in the list below the chart.
 */
export function assignSubsitesToShores({ subsites }: Registry): {
  west: readonly Subsite[];
  east: readonly Subsite[];
  rows: number;
} {
  const labeledSubsites = sortByRank(subsites)
    .filter(({ category }) => category !== 'misc')
    .sort((a, b) => Number(b.actions.length > 0) - Number(a.actions.length > 0))
    .slice(0, 2 * MAX_LABELS_PER_SHORE)
    .sort((a, b) => b.category.localeCompare(a.category));
  const rows = Math.ceil(labeledSubsites.length / 2);
  return { west: labeledSubsites.slice(0, rows), east: labeledSubsites.slice(rows), rows };
}
