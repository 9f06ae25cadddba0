/** One figure of a scanner. */
export interface Score {
  /** What was measured, with the page where it is of one page. */
  what: string;
  /** 0–100. */
  score: number;
  /** The least that is right; absent where the figure is only reported. */
  goal?: number;
}

/** Something that a scanner objects to. */
export interface Finding {
  /** The scanner’s own name of the check. */
  check: string;
  /** What it says, and where. */
  detail: string;
  /** Why the project does not follow it; absent where it is a failure. */
  leftOut?: string;
}

/** What one scanner says of a service. */
export interface ScanReport {
  scanner: string;
  scores: Score[];
  findings: Finding[];
}

/** A program or an answer that the scan cannot do without; the message says what is wrong. */
export class ScanError extends Error {}

/** Figures below their goal. */
export const missed = ({ scores }: ScanReport): Score[] =>
  scores.filter(({ score, goal }) => goal !== undefined && score < goal);

/** Objections that nobody has answered. */
export const failures = ({ findings }: ScanReport): Finding[] =>
  findings.filter(({ leftOut }) => !leftOut);

/** Whether a scan meets every goal. */
export const meetsGoals = (reports: readonly ScanReport[]): boolean =>
  reports.every((report) => !missed(report).length && !failures(report).length);

function scoreLine({ what, score, goal }: Score): string {
  const against =
    goal === undefined ? 'no goal' : score >= goal ? `goal ${goal}` : `below the goal of ${goal}`;
  return `  ${String(score).padStart(3)}  ${what} (${against})`;
}

/**
 * A report as lines: every figure, every failure, and what is left out on purpose with its reason.
 */
export function reportText(report: ScanReport): string {
  const leftOut = report.findings.filter((finding) => finding.leftOut);
  return [
    report.scanner,
    ...report.scores.map(scoreLine),
    ...failures(report).map(({ check, detail }) => `  FAILS  ${check}: ${detail}`),
    ...leftOut.map(
      ({ check, detail, leftOut: reason }) =>
        `  left out on purpose  ${check}: ${detail} ${reason}`,
    ),
    '',
  ].join('\n');
}
