import { computeScore, runChecks } from 'afdocs';
import { findIgnoreReason } from './ignored-findings.ts';
import type { Finding, ScanReport } from './report.ts';
import type { ScanTarget } from './select-pages.ts';

/** Maximum number of tested pages, spread evenly over the sitemap. */
const MAX_PAGES = 50;

/** Location of a finding, with an example: the catalog, the API page below it, or elsewhere. */
function groupLocations(
  details: Record<string, unknown> | undefined,
  origin: string,
  catalog: string,
): [place: string, where: string][] {
  const results = (details?.['pageResults'] ?? []) as { url: string; status?: string }[];
  const paths = results
    .filter(({ status }) => status === 'warn' || status === 'fail')
    .map(({ url }) => url.replace(origin, ''));
  const groups = Map.groupBy(paths, (path) =>
    path === `${catalog}/api`
      ? 'of the API reference'
      : path.startsWith(`${catalog}/`)
        ? 'of a capability'
        : '',
  );
  return groups.size
    ? [...groups].map(([place, affectedPaths]) => [
        place,
        `; ${affectedPaths.length} here, for example ${affectedPaths[0]}`,
      ])
    : [['', '']];
}

/**
 * Runs `afdocs` (Agent-Friendly Documentation Spec) on pages of the sitemap. By default it would
 * treat every link in llms.txt as a page, including data files.
 */
export async function scanWithAfdocs({ origin, sitemap, pages }: ScanTarget): Promise<ScanReport> {
  const catalog = pages.find(({ role }) => role === 'catalog')!.path;
  const step = Math.max(1, Math.ceil(sitemap.length / MAX_PAGES));
  const curatedPages = sitemap
    .filter((_, index) => index % step === 0)
    .map((path) => `${origin}${path}`);
  const report = await runChecks(origin, {
    samplingStrategy: 'curated',
    curatedPages,
    maxConcurrency: 4,
    requestDelay: 0,
  });
  const { overall, categoryScores } = computeScore(report);
  const findings = report.results
    .filter(({ status }) => status !== 'pass' && status !== 'skip')
    .flatMap(({ id, status, message, details }) =>
      groupLocations(details, origin, catalog).map(([check, location]): Finding => ({
        check: [id, check].filter(Boolean).join(' '),
        detail: `${status}: ${message}${location}.`,
        ignored: findIgnoreReason('afdocs', [id, check].filter(Boolean).join(' ')),
      })),
    );
  const parts = Object.entries(categoryScores).flatMap(([category, { score }]) =>
    score === null ? [] : [{ what: category, score }],
  );
  return {
    scanner: 'afdocs',
    scores: [{ what: `overall, ${curatedPages.length} pages`, score: overall }, ...parts],
    findings,
  };
}
