import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { type Command, Option } from 'commander';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { type Context, Problem } from '../../operations/index.ts';
import { importActions, importLeads, type ImportRow } from '../../operations/import-leads.ts';
import { eachLead } from '../../operations/lead-records.ts';
import { findAction, findSubsite } from '../../registry/index.ts';
import { exitCodes, withContext } from '../with-context.ts';
import { filterOf, type FilterOptions, type Print, withFilter } from './options.ts';

const columns = ['reference', 'subsite', 'action', 'status', 'createdAt', 'updatedAt', 'respondBy', 'source', 'door', 'name', 'email', 'phone', 'suspicions'] as const;

type Format = 'csv' | 'jsonl';
type Lead = Awaited<ReturnType<ReturnType<typeof eachLead>['next']>>['value'] & object;

/** A value for a spreadsheet. A ZIP keeps its zeros behind an apostrophe, as formulas are kept from running. */
function cell(value: unknown, isZip: boolean): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return isZip && text ? `'${text}` : text;
}

/** A table of leads: one column for each field that any of them has. */
function csvOf(leads: readonly Lead[], { site }: Context): string {
  const names = [...new Set(leads.flatMap(({ fields }) => Object.keys(fields)))].sort();
  const isZip = (lead: Lead, name: string) => {
    const subsite = findSubsite(site.registry, lead.subsite);
    return (subsite && lead.action !== null && findAction(subsite, lead.action)?.fields[name]?.type === 'zip') || false;
  };
  const rows = leads.map((lead) => [
    ...columns.map((name) => cell(name === 'suspicions' ? lead.suspicions.join(' ') : lead[name], false)),
    ...names.map((name) => cell(lead.fields[name], isZip(lead, name))),
    cell(lead.data, false),
  ]);
  // RFC 4180; a cell that a spreadsheet would run as a formula gets an apostrophe in front.
  return stringify([[...columns, ...names.map((name) => `fields.${name}`), 'data'], ...rows], { escape_formulas: true, record_delimiter: 'windows', bom: true });
}

async function* csvRows(input: NodeJS.ReadableStream): AsyncGenerator<ImportRow> {
  const unreadable: ImportRow[] = [];
  const parser = parse({ columns: true, bom: true, info: true, raw: true, skip_empty_lines: true, skip_records_with_error: true, relax_quotes: false });
  parser.on('skip', ({ lines }: { lines: number }) => unreadable.push({ line: lines, values: undefined }));
  for await (const { record, info, raw } of input.pipe(parser) as AsyncIterable<{ record: Record<string, string>; info: { lines: number }; raw: string }>) {
    // Our own exports put an apostrophe before what a spreadsheet would change.
    // The parser counts to the end of a row; people look for its beginning.
    const line = info.lines - (raw.trim().match(/\n/g)?.length ?? 0);
    yield { line, values: Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value.replace(/^'(?=[\d=+\-@\t\r])/, '')])) };
  }
  yield* unreadable;
}

async function* jsonRows(input: NodeJS.ReadableStream): AsyncGenerator<ImportRow> {
  let line = 0;
  for await (const text of createInterface({ input })) {
    line++;
    if (!text.trim()) continue;
    yield { line, values: objectIn(text) };
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The action that an import is for: the one that is named, or the only one there is. */
function importAction(named: string | undefined, context: Context) {
  const all = importActions(context);
  const names = all.map(({ subsite, action }) => `${subsite.name}.${action.verb}`);
  const found = named === undefined ? (all.length === 1 ? all[0] : undefined) : all[names.indexOf(named)];
  if (found) return found;
  throw new Problem('invalid_input', names.length ? `Say which action with --action: ${names.join(', ')}.` : 'No action of this network takes imports; its record needs the effect import.');
}

const formats = ['csv', 'jsonl'] as const;

/** Commands that write and read tables. */
export function addTables(program: Command, print: Print): void {
  withFilter(program.command('export'))
    .description('writes leads with all that was written, for a spreadsheet or a program; it holds personal data')
    .addOption(new Option('--format <format>', 'csv, or jsonl: one JSON object a line').choices(formats).default('csv'))
    .option('--out <file>', 'where it is written; the standard output when left out')
    .action((options: FilterOptions & { format: Format; out?: string }) =>
      withContext(async (context) => {
        const leads: Lead[] = [];
        for await (const lead of eachLead(filterOf(options), context)) leads.push(lead);
        const text = options.format === 'csv' ? csvOf(leads, context) : leads.map((lead) => `${JSON.stringify(lead)}\n`).join('');
        if (options.out === undefined) return void process.stdout.write(text);
        // Personal data: readable by its owner only.
        const file = await open(options.out, 'w', 0o600);
        await file.writeFile(text).finally(() => file.close());
        print([`${leads.length} leads stand in ${options.out}.`], { leads: leads.length, file: options.out });
      }),
    );

  program
    .command('import')
    .description('files a lead for each row of a partner’s table, once for each of the partner’s ids; says which rows were refused and why')
    .argument('<file>', 'CSV with a line of column names, or JSON lines; - reads the standard input')
    .addOption(new Option('--format <format>', 'by the file’s ending when left out').choices(formats))
    .option('--action <subsite.verb>', 'the action; needed where the network has more than one that takes imports')
    .action((file: string, { format, action }: { format?: Format; action?: string }) =>
      withContext(async (context) => {
        const input = file === '-' ? process.stdin : (await open(file)).createReadStream();
        const rows = (format ?? (['.jsonl', '.ndjson', '.json'].includes(extname(file)) ? 'jsonl' : 'csv')) === 'csv' ? csvRows(input) : jsonRows(input);
        const report = await importLeads(rows, importAction(action, context), context);
        const refused = report.refused.flatMap(({ line, errors }) => errors.map(({ pointer, message }) => `line ${line}${pointer ? ` ${pointer}` : ''}: ${message}`));
        print([...refused, `${report.imported} imported, ${report.known} known before,${report.erased ? ` ${report.erased} erased before,` : ''} ${report.refused.length} refused.`], report);
        if (report.refused.length) process.exitCode = exitCodes.refused;
      }),
    );
}
