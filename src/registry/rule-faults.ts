import type { Fault, RecordPath } from './fault.ts';
import type { Records, Rule, Violation } from './rules/rule.ts';
import { locateProblems, type Source } from './source.ts';
import type { UnreadableRecords } from './unread.ts';

/** A violation of a rule in a known record. */
type LocatedViolation = Omit<Violation, 'record'>;

/** Violations of rules, by record. */
function findViolations(
  records: Records,
  unreadable: UnreadableRecords,
  all: readonly Rule[],
): Map<string, LocatedViolation[]> {
  const violationsByRecord = new Map<string, LocatedViolation[]>();
  for (const rule of all)
    for (const { record, ...problem } of rule.check(records, unreadable)) {
      const list = violationsByRecord.get(record);
      if (list) list.push(problem);
      else violationsByRecord.set(record, [problem]);
    }
  return violationsByRecord;
}

/** Names the other place of a duplicate value. */
function describeOtherRecord(source: Source, path: RecordPath): string {
  const [place] = locateProblems(source, [{ path, problem: '' }]);
  return `The other one is at ${source.file}:${place!.line}.`;
}

/**
 * Violations of rules, with their locations. `sourceOf` returns the source of a record, or the name
 * of a record without a file.
 */
export const findRuleFaults = (
  records: Records,
  unreadable: UnreadableRecords,
  all: readonly Rule[],
  sourceOf: (record: string) => Source | string,
): Fault[] =>
  [...findViolations(records, unreadable, all)].flatMap(([record, violations]) => {
    const source = sourceOf(record);
    const problems = violations.map(({ other, ...violation }) => {
      const otherSource = other && sourceOf(other.record);
      return typeof otherSource === 'object'
        ? {
            ...violation,
            problem: `${violation.problem} ${describeOtherRecord(otherSource, other!.path)}`,
          }
        : violation;
    });
    return typeof source === 'object'
      ? locateProblems(source, problems)
      : problems.map(({ problem }) => ({ file: source, line: 1, column: 1, path: '', problem }));
  });
