import Validator from '@adobe/structured-data-validator';
import WebAutoExtractor from '@marbec/web-auto-extractor';
import { findIgnoreReason } from './ignored-findings.ts';
import type { Finding, ScanReport } from './report.ts';
import type { ScanTarget } from './select-pages.ts';

/**
 * Validates the structured data of every page in the sitemap for rich results
 * (`@adobe/structured-data-validator`). Missing optional fields are not reported.
 */
export async function scanStructuredData({ origin, sitemap }: ScanTarget): Promise<ScanReport> {
  const pages = new Map<string, string[]>();
  const faultyPaths = new Set<string>();
  for (const path of sitemap) {
    const html = await (await fetch(`${origin}${path}`)).text();
    const issues = await new Validator().validate(
      new WebAutoExtractor({ addLocation: false, embedSource: false }).parse(html),
    );
    for (const { severity, issueMessage, rootType } of issues) {
      if (severity !== 'ERROR') continue;
      if (!findIgnoreReason('structured-data', issueMessage)) faultyPaths.add(path);
      const check = `${rootType}\n${issueMessage}`;
      pages.set(check, [...new Set([...(pages.get(check) ?? []), path])]);
    }
  }
  const findings = [...pages].map(([key, paths]): Finding => {
    const [type, check] = key.split('\n') as [string, string];
    return {
      check,
      detail: `${type} on ${paths.length} ${paths.length === 1 ? 'page' : 'pages'}, for example ${paths[0]}.`,
      ignored: findIgnoreReason('structured-data', check),
    };
  });
  const validPercent = Math.floor(
    (100 * (sitemap.length - faultyPaths.size)) / Math.max(1, sitemap.length),
  );
  return {
    scanner: 'structured-data',
    scores: [
      {
        what: `pages without unexplained errors, of ${sitemap.length}`,
        score: validPercent,
        goal: 100,
      },
    ],
    findings,
  };
}
