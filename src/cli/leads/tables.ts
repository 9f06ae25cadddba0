import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { type Context, Problem } from '../../operations/index.ts';
import { importActions, importLeads } from '../../operations/import-leads.ts';
import { eachLead } from '../../operations/lead-records.ts';
import { findAction, findSubsite } from '../../registry/index.ts';
import { withExamples } from '../output.ts';
import { exitCodes, withContext } from '../with-context.ts';
import { csvRows, jsonRows } from './import-rows.ts';
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
  withExamples(withFilter(program.command('export')), 'npm run leads -- export --since 2027-01-01 --out leads.csv', 'npm run -s leads -- export --format jsonl | head', 'npm run -s leads -- export --json | jq')
    .description('writes leads with all that was written, for a spreadsheet or a program; it holds personal data')
    .addOption(new Option('--format <format>', 'csv, which it is when left out, or jsonl: one JSON object a line; with --json alone, one JSON array').choices(formats))
    .option('--out <file>', 'where it is written; the standard output when left out')
    .action((options: FilterOptions & { format?: Format; out?: string }, command: Command) =>
      withContext(async (context) => {
        const leads: Lead[] = [];
        for await (const lead of eachLead(await filterOf(options, context), context)) leads.push(lead);
        if (options.out === undefined && options.format === undefined && command.optsWithGlobals<{ json?: boolean }>().json) return print([], leads);
        const text = options.format === 'jsonl' ? leads.map((lead) => `${JSON.stringify(lead)}\n`).join('') : csvOf(leads, context);
        if (options.out === undefined) return void process.stdout.write(text);
        // Personal data: readable by its owner only.
        const file = await open(options.out, 'w', 0o600);
        await file.writeFile(text).finally(() => file.close());
        print([`${leads.length} leads stand in ${options.out}.`], { leads: leads.length, file: options.out });
      }),
    );

  withExamples(program.command('import'), 'npm run leads -- import partner.csv', 'npm run leads -- import - --format jsonl < partner.jsonl')
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
