import { createFileFault, type Fault, type RecordPath } from './fault.ts';
import type { Records, Rule } from './rules/rule.ts';
import { locateProblems } from './source/locate-problems.ts';
import type { Source } from './source/source.ts';
import type { UnreadableRecords } from './unreadable-records.ts';

function describeOtherRecord(source: Source, path: RecordPath): string {
  const [place] = locateProblems(source, [{ path, problem: '' }]);
  return `The other one is at ${source.file}:${place!.line}.`;
}

/**
 * Finds violations of the rules, with their locations. `sourceOf` returns the source of a record,
 * or the name of its file if that is missing.
 */
export function findRuleFaults(
  records: Records,
  unreadable: UnreadableRecords,
  all: readonly Rule[],
  sourceOf: (record: string) => Source | string,
): Fault[] {
  const found = all.flatMap((rule) => [...rule.check(records, unreadable)]);
  return [...Map.groupBy(found, ({ record }) => record)].flatMap(([record, violations]) => {
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
      : problems.map(({ problem }) => createFileFault(source, problem));
  });
}
