import { isObject } from '../../site/json-object.ts';
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { Problem } from '../../operation/problem.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import type { ImportRow } from '../../leads/submit/import-leads.ts';
import { fromCell } from './spreadsheet-cell.ts';

const NEWLINE = 10;
const NOT_UTF8_TEXT =
  'The line is not UTF-8. Save the table as UTF-8 and import it again; rows that were already imported do not create a second lead.';

/**
 * Decodes a byte stream into blocks of whole lines, without a byte order mark. Adds the numbers of
 * lines that are not UTF-8 to `unreadable`.
 */
async function* decodeLineBlocks(
  input: AsyncIterable<Buffer>,
  invalidLines: Set<number>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  function decodeBlock(block: Buffer): string {
    const isValid = isUtf8(block);
    for (let from = 0; from < block.length; line++) {
      const end = block.indexOf(NEWLINE, from);
      const next = end < 0 ? block.length : end + 1;
      if (!isValid && !isUtf8(block.subarray(from, next))) invalidLines.add(line);
      from = next;
    }
    return decoder.decode(block, { stream: true });
  }
  for await (const chunk of input) {
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.subarray(end);
    if (end) yield decodeBlock(bytes.subarray(0, end));
  }
  if (rest.length) yield decodeBlock(rest);
}

async function* prependBlock(
  firstBlock: string,
  rest: AsyncIterable<string>,
): AsyncGenerator<string> {
  yield firstBlock;
  yield* rest;
}

/** Parses the column names. @throws {Problem} when a name is repeated or not UTF-8 */
function parseColumns(names: string[], invalidLines: ReadonlySet<number>): string[] {
  const trimmedNames = names.map((name) => name.trim());
  const duplicateColumn = trimmedNames.find((name, index) => trimmedNames.indexOf(name) < index);
  if (invalidLines.has(1)) throw new Problem('malformed_body', `line 1: ${NOT_UTF8_TEXT}`);
  if (duplicateColumn !== undefined)
    throw new Problem(
      'malformed_body',
      `line 1: The column ${duplicateColumn || 'without a name'} is repeated. Name each column once.`,
    );
  return trimmedNames;
}

/** A parser error about one row. */
interface RowError {
  code: string;
  lines: number;
  raw?: string;
  columns?: readonly unknown[];
  record?: readonly unknown[];
}

/** What is wrong with a row that the parser refused, and how to fix it. */
function faultOf({ code, columns = [], record = [] }: RowError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return 'The quote on this line is never closed, so the rest of the table was not read. Close the quote and import the table again.';
  if (code === 'CSV_RECORD_INCONSISTENT_COLUMNS')
    return `The row has ${formatQuantity(record.length, 'value')} for ${formatQuantity(columns.length, 'column')}. Give each column one value, which may be empty, and quote a value that contains the separator.`;
  return 'A quote is in the wrong place. Put quotes around the whole value, and double each quote inside it.';
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
const SPREADSHEET_STARTS = [Buffer.from('PK\x03\x04'), Buffer.from('d0cf11e0', 'hex')];

/** Passes on the bytes of a table. @throws {Problem} when they are those of a spreadsheet file */
export async function* refuseSpreadsheets(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of input) {
    if (isFirst && SPREADSHEET_STARTS.some((start) => chunk.subarray(0, 4).equals(start)))
      throw new Problem(
        'malformed_body',
        'This is a file from a spreadsheet program, such as .xlsx. Open it there, save the sheet as CSV (UTF-8), and import that file. No rows were imported.',
      );
    isFirst = false;
    yield chunk;
  }
}

/**
 * Yields the rows of a table with a header line (RFC 4180, or with semicolons or tabs).
 * `checkColumns` may reject the column names.
 * @throws {Problem} malformed_body
 */
export async function* readCsvRows(
  input: AsyncIterable<Buffer>,
  checkColumns: (names: readonly string[]) => void,
): AsyncGenerator<ImportRow> {
  const invalidLines = new Set<number>();
  const blocks = decodeLineBlocks(input, invalidLines);
  const { value: firstBlock = '' } = (await blocks.next()) as { value?: string };
  if (!firstBlock.trim()) checkColumns([]);
  const unreadable: ImportRow[] = [];
  const parser = parse({
    delimiter: separatorOf(/^.*\S.*$/m.exec(firstBlock)?.[0] ?? ''),
    columns: (names: string[]) => {
      const columns = parseColumns(names, invalidLines);
      checkColumns(columns);
      return columns;
    },
    bom: true,
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
  const text = Readable.from(prependBlock(firstBlock, blocks));
  text.on('error', (error) => parser.destroy(error));
  for await (const { record, info, raw } of text.pipe(parser) as AsyncIterable<{
    record: Record<string, string>;
    info: { lines: number };
    raw: string;
  }>) {
    // The parser reports the last line of a row, but people look for the first line.
    const line = info.lines - countNewlines(raw.trim());
    const invalidLine = invalidLines.size
      ? Array.from({ length: info.lines - line + 1 }, (_, index) => line + index).find(
          (lineNumber) => invalidLines.has(lineNumber),
        )
      : undefined;
    if (invalidLine !== undefined)
      yield { line: invalidLine, values: undefined, fault: NOT_UTF8_TEXT };
    else
      yield {
        line,
        values: Object.fromEntries(
          Object.entries(record).map(([name, value]) => [name, fromCell(value)]),
        ),
      };
  }
  yield* unreadable;
}

/** Yields the rows of a JSON Lines file. */
export async function* readJsonRows(input: AsyncIterable<Buffer>): AsyncGenerator<ImportRow> {
  const invalidLines = new Set<number>();
  let line = 0;
  for await (const block of decodeLineBlocks(input, invalidLines)) {
    for (const text of block.replace(/\n$/, '').split('\n')) {
      line++;
      if (invalidLines.has(line)) yield { line, values: undefined, fault: NOT_UTF8_TEXT };
      else if (text.trim()) yield { line, values: parseObject(text) };
    }
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
