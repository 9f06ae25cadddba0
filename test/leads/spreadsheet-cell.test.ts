import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromCell, toCell, toJsonCell, toCsvRecord } from '../../src/cli/leads/spreadsheet-cell.ts';
import { runWithTimeLimit } from '../setup/run-with-time-limit.ts';
import { createPropertyParameters } from '../setup/seeds.ts';

const separators = [',', ';', '\t', '|', ':', '~', '^', ' '];
const formulaCharacters = '=+-@＝＋－＠﹦﹢﹣﹫−';

/** Text from attackers and ordinary text. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...separators,
        ...formulaCharacters,
        '\r',
        '\n',
        '"',
        "'",
        '\u00a0',
        '\u200b',
        '\ufeff',
      ),
      fc.constantFrom(';=', ' =', '\u2028=', '=1+1', "=cmd|'/C calc'!A0", '02139', 'Dana', 'ö'),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const table = fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 3 });

/**
 * True if a program that ignores invisible characters would treat a cell as a formula. A lone sign
 * is not a formula.
 */
const runsAsFormula = (cell: string): boolean => {
  const visibleText = cell.replace(/^[\s\p{C}\p{Z}"]+/u, '');
  return formulaCharacters.includes(visibleText[0] ?? ' ') && visibleText.length > 1;
};

const write = (rows: string[][]): string =>
  rows.map((row) => toCsvRecord(row.map((each) => toCell(each)))).join('');

const examples: [[string, string, string][]][] = [
  [
    ['=1+1', ';=1+1', ' =1+1', '\t=1', '\r=1', '@SUM(1)', '+1', '-1', '＝1', 'a;"=1"', 'a\n=1'].map(
      (cell): [string, string, string] => [cell, `x;${cell}`, cell],
    ),
  ],
];
const parseCells = (csv: string, delimiter: string, quote: '"' | false): string[] =>
  (
    parse(csv, {
      delimiter,
      quote,
      relax_quotes: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    }) as string[][]
  ).flat();

it('tables contain no formula that a program would run, whatever separator the program uses', () => {
  fc.assert(
    fc.property(table, (rows) => {
      const csv = write(rows);
      for (const separator of separators)
        expect(parseCells(csv, separator, false).filter(runsAsFormula), separator).toEqual([]);
      expect(parseCells(csv, ',', '"').filter(runsAsFormula)).toEqual([]);
    }),
    createPropertyParameters(500, { examples }),
  );
});

it('a table can be read back unchanged', () => {
  fc.assert(
    fc.property(table, (rows) => {
      const parsedRows = parse(write(rows), { record_delimiter: '\r\n' }) as string[][];
      expect(parsedRows.map((row) => row.map(fromCell))).toEqual(rows);
    }),
    createPropertyParameters(500, { examples: [...examples, [[["'=1", "''02139", "';'=1"]]]] }),
  );
});

it('ordinary text is unchanged', () => {
  for (const ordinaryText of [
    "'90s Movers",
    'Mo - Fri',
    'a+b@x.com',
    '2026-11-22',
    'https://x.test/?a=b',
  ])
    expect([toCell(ordinaryText), fromCell(ordinaryText)]).toEqual([ordinaryText, ordinaryText]);
  expect([toCell('02139', true), fromCell("'02139"), toCell('', true)]).toEqual([
    "'02139",
    '02139',
    '',
  ]);
});

it('JSON output stays valid and contains no formula', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.integer())), (value) => {
      const cell = toJsonCell(value);
      expect(JSON.parse(cell)).toEqual(JSON.parse(JSON.stringify(value)));
      for (const separator of separators)
        for (const found of parseCells(toCsvRecord([cell]), separator, false))
          // A negative number in JSON.
          if (runsAsFormula(found)) expect(found).toMatch(/^-\d+(?:[,}]|$)/);
    }),
    createPropertyParameters<[Record<string, string | number>]>(300, {
      examples: [[{ a: '=1', b: ';=1', '=1': -5 }]],
    }),
  );
});

it('text with many apostrophes is written and read in linear time', () => {
  const apostrophes = "'".repeat(1_000_000);
  expect(runWithTimeLimit(() => fromCell(toCell(apostrophes)))).toBe(apostrophes);
});
