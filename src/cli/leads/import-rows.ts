import { parseJsonObject } from '../../site/json-object.ts';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { Problem } from '../../operation/problem.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import type { ImportRow } from '../../leads/submit/import-leads.ts';
import { decodeText } from '../../text-encoding.js';
import { fromCell } from './spreadsheet-cell.ts';

/** Parses the column names. @throws {Problem} when a name is repeated */
function parseColumns(names: string[]): string[] {
  const trimmedNames = names.map((name) => name.trim());
  const duplicateColumn = trimmedNames.find((name, index) => trimmedNames.indexOf(name) < index);
  if (duplicateColumn !== undefined)
    throw new Problem(
      'malformed_body',
      `line 1: The column ${duplicateColumn || 'without a name'} is repeated. Name each column once.`,
    );
  return trimmedNames;
}

interface RowError {
  code: string;
  lines: number;
  raw?: string;
  columns?: readonly unknown[];
  record?: readonly unknown[];
}

/** What is wrong with a row that the parser rejected, and how to fix it. */
function faultOf({ code, columns = [], record = [] }: RowError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return 'The quote on this line is never closed, so the rest of the table was not read. Close the quote and import the table again.';
  if (code === 'CSV_RECORD_INCONSISTENT_COLUMNS')
    return `The row has ${formatQuantity(record.length, 'value')} for ${formatQuantity(columns.length, 'column')}. Give each column one value, which may be empty, and quote a value that contains the separator.`;
  return 'A quote is in the wrong place. Put quotes around the entire value, and double each quote inside it.';
}

const countNewlines = (text: string): number => text.match(/\n/g)?.length ?? 0;

/** Detects the separator in the header line: the one that yields the most columns. */
function separatorOf(header: string): string {
  const names = header.replace(/"[^"]*"/g, '');
  const [most = ','] = [',', ';', '\t'].sort(
    (one, other) => names.split(other).length - names.split(one).length,
  );
  return most;
}

/** The first bytes of files from spreadsheet programs: .xlsx, .ods and .numbers; .xls. */
const SPREADSHEET_SIGNATURES = [Buffer.from('PK\x03\x04'), Buffer.from('d0cf11e0', 'hex')];

/**
 * The text of a table, without a byte order mark.
 * @throws {Problem} when it is a spreadsheet file or not UTF-8. If only the other rows were
 * imported, a later row could take the place of an unreadable row with the same ID.
 */
export function decodeTable(bytes: Buffer): string {
  if (SPREADSHEET_SIGNATURES.some((start) => bytes.subarray(0, 4).equals(start)))
    throw new Problem(
      'malformed_body',
      'This is a file from a spreadsheet program, such as .xlsx. Open it there, save the sheet as CSV (UTF-8), and import that file. No rows were imported.',
    );
  const decodedText = decodeText(bytes);
  if ('problem' in decodedText)
    throw new Problem(
      'malformed_body',
      `line ${decodedText.line}: The file ${decodedText.problem} No rows were imported.`,
    );
  return decodedText.text;
}

/** Number of bytes that the parser gets at a time, so that it does not hold all rows in memory. */
const CHUNK_BYTES = 65_536;

function* chunksOf(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES)
    yield bytes.subarray(from, from + CHUNK_BYTES);
}

/**
 * Yields the rows of a table with a header line (RFC 4180, or with semicolons or tabs).
 * `checkColumns` may reject the column names.
 * @throws {Problem} malformed_body
 */
export async function* readCsvRows(
  text: string,
  checkColumns: (names: readonly string[]) => void,
): AsyncGenerator<ImportRow> {
  if (!text.trim()) checkColumns([]);
  const unreadable: ImportRow[] = [];
  const parser = parse({
    delimiter: separatorOf(/^.*\S.*$/m.exec(text)?.[0] ?? ''),
    columns: (names: string[]) => {
      const columns = parseColumns(names);
      checkColumns(columns);
      return columns;
    },
    info: true,
    raw: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    relax_quotes: false,
  });
  parser.on('skip', (error: RowError) => {
    const { code, lines, raw = '' } = error;
    unreadable.push({
      line: code === 'CSV_QUOTE_NOT_CLOSED' ? lines - countNewlines(raw.trim()) : lines,
      values: undefined,
      fault: faultOf(error),
    });
  });
  for await (const { record, info, raw } of Readable.from(chunksOf(text)).pipe(
    parser,
  ) as AsyncIterable<{
    record: Record<string, string>;
    info: { lines: number };
    raw: string;
  }>) {
    // The parser reports the last line of a row, but people look for the first line.
    const line = info.lines - countNewlines(raw.trim());
    yield {
      line,
      values: Object.fromEntries(
        Object.entries(record).map(([name, value]) => [name, fromCell(value)]),
      ),
    };
  }
  yield* unreadable;
}

export function* readJsonRows(text: string): Generator<ImportRow> {
  let line = 0;
  for (const lineText of text.split('\n')) {
    line++;
    if (lineText.trim()) yield { line, values: parseJsonObject(lineText) };
  }
}
