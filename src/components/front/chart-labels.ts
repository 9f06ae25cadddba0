import { sortByRank, type Registry } from '../../site/registry.ts';
import type { Subsite } from '../../registry/subsite.ts';

/**
 * Maximum number of names on one shore of the chart; a larger network shows its first subsites that
 * take requests.
 */
const MAX_PER_SHORE = 30;

/** Longest name on the chart, in characters. */
const MAX_NAME_LENGTH = 26;

/** Maximum width of a character in pixels, for names with wide letters. */
const CHARACTER_WIDTH = 8.4;

/**
 * A subsite’s title on the chart: without the network’s name, and truncated to the width of the
 * land in pixels.
 */
export function shortenChartName(
  { title }: Subsite,
  { network }: Registry,
  landWidth: number,
): string {
  const shortTitle = title.startsWith(`${network.name} `)
    ? title.slice(network.name.length + 1)
    : title.endsWith(` at ${network.name}`)
      ? title.slice(0, -` at ${network.name}`.length)
      : title;
  const maxLength = Math.min(MAX_NAME_LENGTH, Math.floor(landWidth / CHARACTER_WIDTH));
  return shortTitle.length > maxLength
    ? `${shortTitle.slice(0, maxLength - 1).trimEnd()}…`
    : shortTitle;
}

/**
 * The subsites named on the two shores of the network’s chart, with related ones next to each
 * other. Subsites in the misc category appear only in the list below the chart.
 */
export function createChartLabels({ subsites }: Registry): {
  west: readonly Subsite[];
  east: readonly Subsite[];
  rows: number;
} {
  const labeledSubsites = sortByRank(subsites)
    .filter(({ category }) => category !== 'misc')
    .sort((a, b) => Number(b.actions.length > 0) - Number(a.actions.length > 0))
    .slice(0, 2 * MAX_PER_SHORE)
    .sort((a, b) => b.category.localeCompare(a.category));
  const rows = Math.ceil(labeledSubsites.length / 2);
  return { west: labeledSubsites.slice(0, rows), east: labeledSubsites.slice(rows), rows };
}
