import { describe, expect, it } from 'vitest';
import { meetsGoals, formatReport, type ScanReport } from './report.ts';

const createReport = (changes: Partial<ScanReport>): ScanReport => ({
  scanner: 'some scanner',
  scores: [{ what: 'a figure', score: 100, goal: 100 }],
  findings: [],
  ...changes,
});

describe('a scan', () => {
  it('meets its goals when every figure reaches its minimum and nothing fails', () => {
    expect(
      meetsGoals([
        createReport({}),
        createReport({ scores: [{ what: 'informational', score: 3 }] }),
      ]),
    ).toBe(true);
  });

  it('fails if a figure is below its goal, and prints the figure and the goal', () => {
    const reportBelowGoal = createReport({ scores: [{ what: 'a figure', score: 99, goal: 100 }] });
    expect(meetsGoals([createReport({}), reportBelowGoal])).toBe(false);
    expect(formatReport(reportBelowGoal)).toContain('99  a figure (below the goal of 100)');
  });

  it('fails for an unexplained finding, but not for a finding that is ignored on purpose', () => {
    const finding = { check: 'some check', detail: 'Something is missing.' };
    expect(meetsGoals([createReport({ findings: [finding] })])).toBe(false);
    expect(formatReport(createReport({ findings: [finding] }))).toContain(
      'FAILS  some check: Something is missing.',
    );
    const reportWithIgnoredFinding = createReport({
      findings: [{ ...finding, ignored: 'It would be false.' }],
    });
    expect(meetsGoals([reportWithIgnoredFinding])).toBe(true);
    expect(formatReport(reportWithIgnoredFinding)).toMatch(
      /ignored on purpose {2}some check: .* It would be false\./,
    );
  });
});
