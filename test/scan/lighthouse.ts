import { findProgram } from '../setup/programs.ts';
import type { Finding, ScanReport, Score } from './report.ts';
import { ScanError } from './report.ts';
import { leftOutReason } from './left-out.ts';
import { runTool } from './run-tool.ts';
import type { Surface } from './surface.ts';

/** The least score in each category. Performance is told only: it is measured on a simulated telephone and follows the load of this machine. */
const goals = { 'agentic-browsing': 100, accessibility: 100, 'best-practices': 100, seo: 100, performance: 99 } as const;
const PERFORMANCE_IS_LOAD = 'it falls with the load of the machine that measures';

interface Report {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; displayValue?: string; details?: { items?: Record<string, unknown>[] } }>;
  runtimeError?: { message: string };
}

/** The first thing that an audit objects to, in one line. */
function example({ displayValue, details }: Report['audits'][string]): string {
  const [item] = details?.items ?? [];
  const issue = item && Object.values(item).filter((value) => typeof value === 'string').join(', ');
  return [displayValue, issue && `for example ${issue.slice(0, 160)}`].filter(Boolean).join('; ');
}

function objections({ categories, audits }: Report, path: string): Finding[] {
  return Object.entries(categories)
    .filter(([category]) => category !== 'performance')
    .flatMap(([category, { auditRefs }]) =>
      auditRefs
        .filter(({ id, weight }) => weight > 0 && audits[id]!.score !== null && audits[id]!.score! < 1)
        .map(({ id }) => ({ check: `${category} ${id}`, detail: [path, audits[id]!.title, example(audits[id]!)].filter(Boolean).join(': '), leftOut: leftOutReason('lighthouse', id) })),
    );
}

/** Lighthouse, one page after the other, with the mobile emulation that it has by default. */
export async function lighthouse({ origin, pages }: Surface): Promise<ScanReport> {
  const chromium = findProgram('chromium');
  if (!chromium) throw new ScanError('No chromium is installed. Install Debian’s package chromium.');
  const scores: Score[] = [];
  const findings: Finding[] = [];
  for (const { role, path } of pages) {
    const args = [`${origin}${path}`, '--quiet', '--output=json', '--output-path=stdout', '--no-enable-error-reporting', `--only-categories=${Object.keys(goals).join(',')}`, '--chrome-flags=--headless=new --no-sandbox --disable-gpu'];
    const report = (await runTool('lighthouse', args, { CHROME_PATH: chromium })) as Report;
    if (report.runtimeError) throw new ScanError(`lighthouse: ${report.runtimeError.message}`);
    for (const [category, goal] of Object.entries(goals)) {
      // A category of which nothing applies has no score.
      const score = report.categories[category]?.score;
      if (score == null) findings.push({ check: category, detail: `${path}: no score` });
      else scores.push({ what: `${category}, ${role} ${path}`, score: Math.round(score * 100), goal, ...(category === 'performance' && { reportOnly: PERFORMANCE_IS_LOAD }) });
    }
    findings.push(...objections(report, path));
  }
  return { scanner: 'lighthouse', scores, findings };
}
