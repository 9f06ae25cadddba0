/** A figure reported by a scanner. */
export interface Score {
  /** Name of the figure, with the page it belongs to, if any. */
  what: string;
  /** 0–100. */
  score: number;
  /** Minimum value; absent if the figure is informational. */
  goal?: number;
}

/** A finding from a scanner. */
export interface Finding {
  /** The scanner’s name for the check. */
  check: string;
  /** Message and location. */
  detail: string;
  /** Why the project ignores the finding; absent if it counts as a failure. */
  ignored?: string;
}

/** Results of one scanner. */
export interface ScanReport {
  scanner: string;
  scores: Score[];
  findings: Finding[];
}

/** A failure that prevents the scan; the message explains it. */
export class ScanError extends Error {}

/** Figures below their minimum. */
export const listMissedScores = ({ scores }: ScanReport): Score[] =>
  scores.filter(({ score, goal }) => goal !== undefined && score < goal);

/** Findings that count as failures. */
export const listFailures = ({ findings }: ScanReport): Finding[] =>
  findings.filter(({ ignored }) => !ignored);

/** True if all results meet their goals. */
export const meetsGoals = (reports: readonly ScanReport[]): boolean =>
  reports.every((report) => !listMissedScores(report).length && !listFailures(report).length);

function formatScore({ what, score, goal }: Score): string {
  const comparison =
    goal === undefined ? 'no goal' : score >= goal ? `goal ${goal}` : `below the goal of ${goal}`;
  return `  ${String(score).padStart(3)}  ${what} (${comparison})`;
}

/** The text of a report: all figures, failures, and ignored findings with their reasons. */
export function formatReport(report: ScanReport): string {
  const ignoredFindings = report.findings.filter((finding) => finding.ignored);
  return [
    report.scanner,
    ...report.scores.map(formatScore),
    ...listFailures(report).map(({ check, detail }) => `  FAILS  ${check}: ${detail}`),
    ...ignoredFindings.map(
      ({ check, detail, ignored: reason }) => `  ignored on purpose  ${check}: ${detail} ${reason}`,
    ),
    '',
  ].join('\n');
}
