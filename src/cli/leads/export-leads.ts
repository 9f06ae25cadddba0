import {
  type ExportedLead,
  readFieldNames,
  readLeadsInBatches,
} from '../../leads/lists/list-leads.ts';
import type { LeadFilter } from '../../leads/lists/select-leads.ts';
import type { Context } from '../../operation/context.ts';
import { kindOf } from '../../fields/fields.ts';
import { actionOf } from '../../site/registry.ts';
import { toCell, toJsonCell, toCsvRecord } from './spreadsheet-cell.ts';

const columns = [
  'reference',
  'subsite',
  'action',
  'status',
  'createdAt',
  'updatedAt',
  'respondBy',
  'source',
  'channel',
  'name',
  'email',
  'phone',
  'suspicions',
  'emergency',
] as const;

/**
 * Columns with user input. The program generates the other columns, which never contain formulas.
 */
const userInputColumns = new Set<(typeof columns)[number]>(['source', 'name', 'email', 'phone']);

function formatCell(value: unknown, isDigits: boolean): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? toCell(value, isDigits) : toJsonCell(value);
}

/** Whether the record declares a field as digits that are not a number, such as a ZIP code. */
function createNumericCodeCheck({ site }: Context): (lead: ExportedLead, name: string) => boolean {
  const numericCodeCache = new Map<string, boolean>();
  return ({ subsite, action }, name) => {
    const key = `${subsite}.${action ?? ''}.${name}`;
    let isDigits = numericCodeCache.get(key);
    if (isDigits === undefined) {
      const field = actionOf(site.registry, { subsite, action })?.fields[name];
      numericCodeCache.set(key, (isDigits = field ? kindOf(field).isNumericCode === true : false));
    }
    return isDigits;
  };
}

/** Yields a table with a column for each field name in the leads, in chunks. */
async function* toCsv(
  batches: AsyncIterable<readonly ExportedLead[]>,
  filter: LeadFilter,
  context: Context,
): AsyncGenerator<string> {
  const names = await readFieldNames(filter, context);
  const isDigits = createNumericCodeCheck(context);
  const textOf = (lead: ExportedLead, name: (typeof columns)[number]): string => {
    if (name === 'suspicions') return lead.suspicions.join(' ');
    return userInputColumns.has(name) ? formatCell(lead[name], false) : String(lead[name] ?? '');
  };
  const formatRecord = (lead: ExportedLead): string =>
    toCsvRecord([
      ...columns.map((name) => textOf(lead, name)),
      ...names.map((name) => {
        const value = lead.fields[name];
        return formatCell(value, typeof value === 'string' && isDigits(lead, name));
      }),
      formatCell(lead.data, false),
    ]);
  // Spreadsheet programs recognize UTF-8 by the byte order mark.
  yield `\uFEFF${toCsvRecord([...columns, ...names.map((name) => `fields.${name}`), 'data'])}`;
  for await (const batch of batches) yield batch.map(formatRecord).join('');
}

async function* toJsonLines(
  batches: AsyncIterable<readonly ExportedLead[]>,
): AsyncGenerator<string> {
  for await (const batch of batches)
    yield batch.map((lead) => `${JSON.stringify(lead)}\n`).join('');
}

async function* toJsonArray(
  batches: AsyncIterable<readonly ExportedLead[]>,
): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const batch of batches)
    for (const lead of batch) {
      yield `${separator}  ${JSON.stringify(lead)}`;
      separator = ',\n';
    }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** Exports leads as text, newest first, in chunks; `count` is the number of leads so far. */
export function exportLeads(
  format: 'csv' | 'jsonl' | 'json',
  filter: LeadFilter,
  context: Context,
): { text: AsyncIterable<string>; count: () => number } {
  let count = 0;
  async function* countRows() {
    for await (const batch of readLeadsInBatches(filter, context)) {
      count += batch.length;
      yield batch;
    }
  }
  const text =
    format === 'csv'
      ? toCsv(countRows(), filter, context)
      : format === 'jsonl'
        ? toJsonLines(countRows())
        : toJsonArray(countRows());
  return { text, count: () => count };
}
