import { findProgram } from '../setup/programs.ts';
import { type Finding, type ScanReport, type Score, ScanError } from './report.ts';
import { findIgnoreReason } from './ignored-findings.ts';
import { runTool } from './run-tool.ts';
import type { ScannedPage, ScanTarget } from './select-pages.ts';

/** Minimum score by category. */
const goals = {
  // A warning about the type of Markdown pages in the ARD catalog, which the project ignores, costs
  // 2 points.
  'agentic-browsing': 98,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
  performance: 99,
} as const;
/**
 * Number of attempts per page. The best attempt counts, because load on the machine only lowers the
 * performance score.
 */
const MAX_TRIES = 3;

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<
    string,
    {
      title: string;
      score: number | null;
      displayValue?: string;
      details?: { items?: Record<string, unknown>[] };
    }
  >;
  runtimeError?: { message: string };
}

/** The first finding of an audit in one line. */
function formatFirstFinding({ displayValue, details }: Report['audits'][string]): string {
  const [item] = details?.items ?? [];
  const issue =
    item &&
    Object.values(item)
      .filter((value) => typeof value === 'string')
      .join(', ');
  return [displayValue, issue && `for example ${issue.slice(0, 160)}`].filter(Boolean).join('; ');
}

/** The audit that fails on every page that search engines must not index. */
const INDEXING_AUDIT = 'is-crawlable';

function findFailedAudits(
  { categories, audits }: Report,
  { path, isIndexed }: ScannedPage,
): Finding[] {
  return Object.entries(categories)
    .filter(([category]) => category !== 'performance')
    .flatMap(([category, { auditRefs }]) =>
      auditRefs
        .filter(
          ({ id, weight }) =>
            weight > 0 &&
            audits[id]!.score !== null &&
            audits[id]!.score! < 1 &&
            (isIndexed || id !== INDEXING_AUDIT),
        )
        .map(({ id }): Finding => ({
          check: `${category} ${id}`,
          detail: [path, audits[id]!.title, formatFirstFinding(audits[id]!)]
            .filter(Boolean)
            .join(': '),
          ignored: findIgnoreReason('lighthouse', id),
        })),
    );
}

async function runLighthouse(url: string, chromium: string): Promise<Report> {
  const args = [
    url,
    '--quiet',
    '--output=json',
    '--output-path=stdout',
    '--no-enable-error-reporting',
    `--only-categories=${Object.keys(goals).join(',')}`,
    '--chrome-flags=--headless --no-sandbox --disable-gpu',
  ];
  const report = (await runTool('lighthouse', args, { CHROME_PATH: chromium })) as Report;
  if (report.runtimeError) throw new ScanError(`lighthouse: ${report.runtimeError.message}`);
  return report;
}

const performanceScoreOf = ({ categories }: Report): number =>
  Math.round((categories['performance']?.score ?? 0) * 100);

/** Runs Lighthouse on one page after another with its default mobile emulation. */
export async function scanWithLighthouse({ origin, pages }: ScanTarget): Promise<ScanReport> {
  const chromium = findProgram('chromium');
  if (!chromium)
    throw new ScanError(
      'Chromium is not installed. Install Debian’s chromium-headless-shell package.',
    );
  const scores: Score[] = [];
  const findings: Finding[] = [];
  for (const page of pages) {
    const { role, path } = page;
    let report = await runLighthouse(`${origin}${path}`, chromium);
    for (
      let attempt = 1;
      attempt < MAX_TRIES && performanceScoreOf(report) < goals.performance;
      attempt++
    ) {
      const retry = await runLighthouse(`${origin}${path}`, chromium);
      if (performanceScoreOf(retry) > performanceScoreOf(report)) report = retry;
    }
    for (const [category, goal] of Object.entries(goals)) {
      // A category without applicable audits has no score.
      const score = report.categories[category]?.score;
      if (score == null) findings.push({ check: category, detail: `${path}: no score` });
      // The SEO score counts the indexing audit; the findings name every other failed audit.
      else if (page.isIndexed || category !== 'seo')
        scores.push({ what: `${category}, ${role} ${path}`, score: Math.round(score * 100), goal });
    }
    findings.push(...findFailedAudits(report, page));
  }
  return { scanner: 'lighthouse', scores, findings };
}
