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

function formatCell(value: unknown, isNumericCode = false): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? toCell(value, isNumericCode) : toJsonCell(value);
}

/** Yields a table with a column for each field name in the leads, in chunks. */
async function* toCsv(
  batches: AsyncIterable<readonly ExportedLead[]>,
  filter: LeadFilter,
  context: Context,
): AsyncGenerator<string> {
  const names = await readFieldNames(filter, context);
  const textOf = (lead: ExportedLead, name: (typeof columns)[number]): string => {
    if (name === 'suspicions') return lead.suspicions.join(' ');
    return userInputColumns.has(name) ? formatCell(lead[name]) : String(lead[name] ?? '');
  };
  const formatRecord = (lead: ExportedLead): string => {
    const fields = actionOf(context.site.registry, lead)?.fields;
    return toCsvRecord([
      ...columns.map((name) => textOf(lead, name)),
      ...names.map((name) => {
        const field = fields?.[name];
        return formatCell(lead.fields[name], field && kindOf(field).isNumericCode);
      }),
      formatCell(lead.data),
    ]);
  };
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
