import { describe, expect, it } from 'vitest';
import { meetsGoals, formatReport, type ScanReport } from './report.ts';

const report = (changes: Partial<ScanReport>): ScanReport => ({
  scanner: 'some scanner',
  scores: [{ what: 'a figure', score: 100, goal: 100 }],
  findings: [],
  ...changes,
});

describe('a scan', () => {
  it('meets its goals when every figure reaches its minimum and nothing fails', () => {
    expect(
      meetsGoals([report({}), report({ scores: [{ what: 'informational', score: 3 }] })]),
    ).toBe(true);
  });

  it('fails if a figure is below its goal, and prints the figure and the goal', () => {
    const missed = report({ scores: [{ what: 'a figure', score: 99, goal: 100 }] });
    expect(meetsGoals([report({}), missed])).toBe(false);
    expect(formatReport(missed)).toContain('99  a figure (below the goal of 100)');
  });

  it('fails for an unexplained finding, but not for a finding that is ignored on purpose', () => {
    const finding = { check: 'some check', detail: 'Something is missing.' };
    expect(meetsGoals([report({ findings: [finding] })])).toBe(false);
    expect(formatReport(report({ findings: [finding] }))).toContain(
      'FAILS  some check: Something is missing.',
    );
    const answered = report({ findings: [{ ...finding, ignored: 'It would be false.' }] });
    expect(meetsGoals([answered])).toBe(true);
    expect(formatReport(answered)).toMatch(
      /ignored on purpose {2}some check: .* It would be false\./,
    );
  });
});
