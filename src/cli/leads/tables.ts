import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import { fillWhileFlushing } from '../../../db/fill-while-flushing.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import { checkColumns, importActions, importLeads } from '../../leads/submit/import-leads.ts';
import type { CommandLine } from '../command-line.ts';
import { type Printer, withExamples } from '../output.ts';
import { exitCodes } from '../exit-codes.ts';
import { withContext } from '../with-context.ts';
import { exportLeads } from './export-leads.ts';
import { decodeTable, readCsvRows, readJsonRows } from './import-rows.ts';
import { withoutControlCodes } from './describe-lead.ts';
import { openPrivateFile, removeFile } from './private-file.ts';
import { createLeadFilter, type FilterOptions, addFilterOptions } from './options.ts';
import { pluralize, formatQuantity } from '../../site/words/quantity.ts';

/**
 * Finds the action for an import: the named one or, without a name, the only one that accepts
 * imports.
 */
function findImportAction(requestedName: string | undefined, context: Context) {
  const actions = importActions(context);
  const names = actions.map(({ subsite, action }) => `${subsite.name}.${action.verb}`);
  const importAction =
    requestedName === undefined
      ? actions.length === 1
        ? actions[0]
        : undefined
      : actions[names.indexOf(requestedName)];
  if (importAction) return importAction;
  throw new Problem(
    'invalid_input',
    names.length
      ? `${requestedName === undefined ? 'Choose an action' : `${requestedName} accepts no imports. Choose another action`} with --action: ${names.join(', ')}.`
      : 'No action in this network accepts imports. Add the import effect to an action.',
  );
}

const formats = ['csv', 'jsonl'] as const;
type Format = (typeof formats)[number];

interface ExportOptions {
  format?: Format;
  out?: string;
  overwrite?: boolean;
}

function addExportCommand(program: CommandLine, print: Printer): void {
  withExamples(
    addFilterOptions(program.command('export')),
    'npm run leads -- export --since 2027-01-01 --out ~/leads.csv',
    'npm run -s leads -- export --format jsonl | head',
    'npm run -s leads -- export --json | jq',
  )
    .description(
      'exports leads with their fields and contact details, without their messages and offers, for a spreadsheet or a program; the output contains personal data. In CSV, an apostrophe before text keeps spreadsheet programs from running it as a formula or dropping leading zeros. An export cannot be imported',
    )
    .addOption(
      new Option(
        '--format <format>',
        'csv, or jsonl, one JSON object per line; default: jsonl for a .jsonl, .ndjson or .json file, otherwise csv; --json without --format and --out writes one JSON array',
      ).choices(formats),
    )
    .option('--out <file>', 'file to write; default: standard output')
    .option('--overwrite', 'replace the file if it exists')
    .addUsageCheck(({ overwrite, out }: ExportOptions) => [
      ...(overwrite && out === undefined ? ['--overwrite needs --out, the file to replace.'] : []),
      ...(/\.(?:xlsx?|ods|numbers)$/i.test(out ?? '')
        ? ['--out writes text. Use a .csv file, which spreadsheet programs can open.']
        : []),
    ])
    .action((options: FilterOptions & ExportOptions, command: CommandLine) => {
      return withContext(async (context) => {
        // Leads created during the export are excluded, because their fields may have no column.
        const filter = await createLeadFilter(options, context);
        const exportEnd = [filter.before, new Date().toISOString()]
          .filter((time) => time !== undefined)
          .sort()[0];
        const { format, out, overwrite = false } = options;
        const isJsonArray =
          out === undefined &&
          format === undefined &&
          command.optsWithGlobals<{ json?: boolean }>().json;
        const leadExport = exportLeads(
          isJsonArray ? 'json' : (format ?? formatOf(out ?? '')),
          { ...filter, before: exportEnd },
          context,
        );
        if (out === undefined) return pipeline(leadExport.text, process.stdout, { end: false });
        const file = await openPrivateFile(out, overwrite);
        try {
          const write = () => pipeline(leadExport.text, file.createWriteStream());
          // A pipe or device cannot be flushed.
          await ((await file.stat()).isFile() ? fillWhileFlushing(out, write) : write());
        } catch (error) {
          await removeFile(out);
          throw Object.assign(error as Error, { path: out });
        }
        print([`Exported ${formatQuantity(leadExport.count(), 'lead')} to ${out}.`], {
          leads: leadExport.count(),
          file: out,
        });
      }, true);
    });
}

/** The format that a file's extension indicates; CSV by default. */
const formatOf = (file: string): Format =>
  ['.jsonl', '.ndjson', '.json'].includes(extname(file)) ? 'jsonl' : 'csv';

const MAX_LISTED_LINES = 20;

function describeUnreachableLeads(lines: readonly number[], dryRun: boolean): string[] {
  if (!lines.length) return [];
  const listedLines = lines.slice(0, MAX_LISTED_LINES).join(', ');
  const rest = lines.length > MAX_LISTED_LINES ? ', …' : '';
  const leads = formatQuantity(lines.length, 'lead');
  return [
    `${pluralize(lines.length, 'line')} ${listedLines}${rest}: ${leads} ${dryRun ? 'would have' : lines.length === 1 ? 'has' : 'have'} no phone number and no email address, so nobody can answer.`,
  ];
}

function addImportCommand(program: CommandLine, print: Printer): void {
  withExamples(
    program.command('import'),
    'npm run leads -- import partner.csv --dry-run',
    'npm run leads -- import partner.csv',
    'npm run leads -- import - --format jsonl < partner.jsonl',
  )
    .description(
      'creates a lead for each row of a partner’s table, once per partner ID, and reports which rows were refused and why. The columns are the fields of the action, such as its partner ID, and name, email and phone; an error about other columns lists them. Only actions with the import effect accept imports. An apostrophe that export adds before text is removed',
    )
    .argument(
      '<file>',
      'CSV with a header line, separated by commas, semicolons or tabs, or JSON Lines, in UTF-8; - reads standard input',
    )
    .addOption(
      new Option('--format <format>', 'default: based on the file’s extension').choices(formats),
    )
    .option(
      '--action <subsite.verb>',
      'the action; required if more than one action accepts imports',
    )
    .option('--dry-run', 'report what would be imported, and write nothing')
    .action((file: string, options: { format?: Format; action?: string; dryRun?: boolean }) => {
      const { format, dryRun = false } = options;
      return withContext(async (context) => {
        const target = findImportAction(options.action, context);
        const text = decodeTable(file === '-' ? await buffer(process.stdin) : await readFile(file));
        const rows =
          (format ?? formatOf(file)) === 'csv'
            ? readCsvRows(text, (names) => checkColumns(names, target.action))
            : readJsonRows(text);
        const report = await importLeads(rows, { ...target, dryRun }, context);
        const refusalLines = report.refused.flatMap(({ line, id, errors }) =>
          errors.map(
            ({ column, message }) =>
              `line ${line}${column === undefined ? '' : `, ${column}`}${id === undefined ? '' : ` (ID ${withoutControlCodes(id)})`}: ${message}`,
          ),
        );
        print(
          [
            ...refusalLines,
            ...describeUnreachableLeads(report.unreachable, dryRun),
            `${report.imported} ${dryRun ? 'would be imported' : 'imported'}, ${report.known} already known,${report.repeated ? ` ${report.repeated} repeated in this file,` : ''}${report.erased ? ` ${report.erased} already erased,` : ''} ${report.refused.length} refused.${dryRun ? ' Nothing was written.' : ''}`,
          ],
          dryRun ? { dryRun, ...report } : report,
        );
        if (report.refused.length) process.exitCode = exitCodes.refused;
      });
    });
}

export function addTableCommands(program: CommandLine, print: Printer): void {
  for (const add of [addExportCommand, addImportCommand]) add(program, print);
}
