import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseSource } from '../../src/registry/source/parse-source.ts';

const record = readFileSync('registry/subsites/hvac.yaml', 'utf8');

const faultsOf = (text: string) =>
  parseSource({ file: 'hvac.yaml', text }).faults.map(({ line, problem }) => [line, problem]);

/** Line of the first match, starting at 1. */
const lineOf = (pattern: RegExp) => record.slice(0, pattern.exec(record)!.index).split('\n').length;

it.each([
  ['one space too few', /^    amount: /m, '   amount: ', 3, 4],
  ['one space too many', /^    amount: /m, '     amount: ', 5, 4],
  ['one level too deep', /^    amount: /m, '      amount: ', 6, 4],
  ['the first key of a record', /^      zip:/m, '     zip:', 5, 6],
  ['a space before a top-level key', /^title: /m, ' title: ', 1, 0],
])('%s is one fault, reported on its own line', (_, pattern, wrong, has, needs) => {
  expect(faultsOf(record.replace(pattern, wrong))).toEqual([
    [
      lineOf(pattern),
      `is indented by ${has} ${has === 1 ? 'space' : 'spaces'}, which does not match the lines around it. Indent it by ${needs} spaces.`,
    ],
  ]);
});

it('a tab is one fault, reported on its own line', () => {
  expect(faultsOf(record.replace(/^    amount: /m, '\tamount: '))).toEqual([
    [lineOf(/^    amount: /m), 'is indented with a tab. Indent with spaces.'],
  ]);
});

it('other faults keep their own fixes next to incorrect indentation', () => {
  const colonFault = [
    lineOf(/^title: /m),
    'has a colon in a value. Put the value in double quotes.',
  ];
  const brokenRecord = record.replace(/^title: .*/m, 'title: AC: repair');
  expect(faultsOf(brokenRecord)).toEqual([colonFault]);
  expect(faultsOf(brokenRecord.replace(/^    amount: /m, '   amount: '))).toEqual([
    colonFault,
    [lineOf(/^    amount: /m), expect.stringContaining('Indent it by 4 spaces.')],
  ]);
});

it('a line that is shifted by a space is located in nine out of ten cases', () => {
  let [shiftedCount, found] = [0, 0];
  for (const [index, file] of readdirSync('registry/subsites').entries()) {
    const lines = readFileSync(`registry/subsites/${file}`, 'utf8').split('\n');
    const keys = lines.flatMap((line, position) =>
      /^ +(?:- )?\w+:(?: |$)/.test(line) ? [position] : [],
    );
    const lineIndex = keys[(index * 37) % keys.length]!;
    lines[lineIndex] = index % 2 ? ` ${lines[lineIndex]!}` : lines[lineIndex]!.slice(1);
    const { faults } = parseSource({ file, text: lines.join('\n') });
    // Some shifts are valid YAML with a different meaning, which the schema then rejects.
    if (!faults.length) continue;
    shiftedCount++;
    if (faults.length === 1 && faults[0]!.line === lineIndex + 1) found++;
  }
  expect(shiftedCount).toBeGreaterThan(40);
  expect(found / shiftedCount).toBeGreaterThanOrEqual(0.9);
});
