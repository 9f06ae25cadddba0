import { findIgnoreReason } from './ignored-findings.ts';
import type { Finding, ScanReport } from './report.ts';
import { runTool } from './run-tool.ts';
import type { ScanTarget } from './select-pages.ts';

interface Report {
  score: number;
  categories: Record<
    string,
    {
      checks: { name: string; passed: boolean; skipped: boolean; detail?: string; hint?: string }[];
    }
  >;
}

/**
 * Runs `@vercel/agent-readability`: discovery files, content negotiation and HTML, on five pages
 * that it selects from the sitemap.
 */
export async function scanWithAgentReadability({ origin }: ScanTarget): Promise<ScanReport> {
  const { score, categories } = (await runTool('agent-readability', [
    'audit',
    origin,
    '--json',
  ])) as Report;
  const findings = Object.values(categories)
    .flatMap(({ checks }) => checks)
    .filter(({ passed, skipped }) => !passed && !skipped)
    .map(({ name, detail = '', hint = '' }): Finding => ({
      check: name,
      detail: [detail, hint].filter(Boolean).join(': '),
      ignored: findIgnoreReason('agent-readability', name),
    }));
  return {
    scanner: 'agent-readability',
    scores: [{ what: 'readable by agents', score }],
    findings,
  };
}
