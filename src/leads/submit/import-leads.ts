import type { Action } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import type { Context } from '../../operation/context.ts';
import { readLeadForm } from './lead-form.ts';
import { digestCanonicalJson } from '../../operation/canonical-digest.ts';
import { hasContactMethod, type LeadInput } from './lead-input.ts';
import type { FormTexts } from '../../operation/operation.ts';
import { formatPointer, parsePointer } from '../../operation/json-pointer.ts';
import { type InputError, Problem } from '../../operation/problem.ts';
import { listSiteActions, submitAction } from './submit-action.ts';
import { findNearest } from '../../site/corrections/similar-names.ts';
import { pluralize } from '../../site/words/quantity.ts';

/** A row of an import, with its line number. */
export interface ImportRow {
  line: number;
  /** Table columns or a JSON object; undefined if the line is unreadable. */
  values: Record<string, unknown> | undefined;
  /** Why the line is unreadable, if known. */
  fault?: string;
}

export interface ImportReport {
  /** Rows that became leads. */
  imported: number;
  /** Rows whose lead existed before this import. */
  known: number;
  /** Rows with the same ID and values as an earlier row of the table. */
  repeated: number;
  /** Rows whose lead was erased; they do not create it again. */
  erased: number;
  /** Line numbers of imported rows with neither a phone number nor an email address. */
  unreachable: number[];
  refused: RefusedRow[];
}

interface RefusedRow {
  line: number;
  /** Partner ID in the row, if it has one. */
  id?: string;
  /** `column` is the table's name for the field or contact member. */
  errors: readonly (Pick<InputError, 'pointer' | 'message'> & { column?: string })[];
}

/** Rows per batch; the writer commits them together. */
const BATCH_SIZE = 64;

/** Actions of a site that accept imports. */
export const importActions = ({ site }: Pick<Context, 'site'>) =>
  listSiteActions(site.registry).filter(({ action }) => action.effect?.kind === 'import');

const contactColumns = ['name', 'email', 'phone'];

/** Field or contact member for a column. */
function targetOf(column: string, action: Action): { name: string; isContact: boolean } {
  const name = column.trim().replace(/^(?:fields|contact)\./, '');
  const isContact =
    column.startsWith('contact.') ||
    (!Object.hasOwn(action.fields, name) && contactColumns.includes(name));
  return { name, isContact };
}

/**
 * The column of a row that an error in the lead is about; undefined if the error is not about a
 * column.
 */
function columnOf(pointer: string, values: object, action: Action): string | undefined {
  const [group, name] = parsePointer(pointer);
  const isColumnAtFault = (column: string) => {
    const target = targetOf(column, action);
    return target.name === name && target.isContact === (group === 'contact');
  };
  return Object.keys(values).find(isColumnAtFault) ?? name;
}

function describeRefusal({ line, values = {} }: ImportRow, problem: Problem, action: Action) {
  const id = action.effect?.kind === 'import' && values[action.effect.keyField];
  const errors = problem.errors ?? [{ pointer: '', message: problem.message }];
  return {
    line,
    ...(typeof id === 'string' && id && { id }),
    errors: errors.map(({ pointer, message }) => {
      const column = columnOf(pointer, values, action);
      return { pointer, ...(column !== undefined && { column }), message };
    }),
  };
}

/**
 * Checks the column names of a table before any row is imported. Columns without a name are
 * ignored.
 * @throws {Problem} malformed_body, which lists every fault and the known columns
 */
export function checkColumns(columns: readonly string[], action: Action): void {
  const isKnown = (column: string) => {
    const { name, isContact } = targetOf(column, action);
    return isContact ? contactColumns.includes(name) : Object.hasOwn(action.fields, name);
  };
  const unknownColumns = columns.filter((column) => column && !isKnown(column));
  const presentColumns = new Set(
    columns
      .map((column) => targetOf(column, action))
      .map((target) => !target.isContact && target.name),
  );
  const missing = Object.entries(action.fields)
    .filter(([name, { required }]) => required && !presentColumns.has(name))
    .map(([name]) => name);
  if (!unknownColumns.length && !missing.length) return;
  const formatColumnList = (names: readonly string[]) =>
    `${pluralize(names.length, 'column')} ${names.join(', ')}`;
  const knownNames = [...Object.keys(action.fields), ...contactColumns];
  const withSuggestion = (column: string) => {
    const name = findNearest(column, knownNames);
    return name === undefined ? column : `${column} (did you mean ${name}?)`;
  };
  const allColumns = [
    ...Object.entries(action.fields).map(([name, { required }]) =>
      required ? `${name} (required)` : name,
    ),
    ...contactColumns.filter((name) => !Object.hasOwn(action.fields, name)),
  ];
  throw new Problem(
    'malformed_body',
    [
      'line 1:',
      ...(unknownColumns.length
        ? [`Unknown ${formatColumnList(unknownColumns.map(withSuggestion))}.`]
        : []),
      ...(missing.length ? [`Missing ${formatColumnList(missing)}.`] : []),
      `Use these column names, with a comma, a semicolon or a tab between them: ${allColumns.join(', ')}. No rows were imported.`,
    ].join(' '),
  );
}

/**
 * Creates the body for a row: name, email and phone become the contact, other columns the fields.
 */
function bodyOf(
  values: Record<string, unknown>,
  subsite: Subsite,
  action: Action,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const contact: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(values)) {
    if (value === null || value === undefined || (typeof value === 'string' && !value.trim()))
      continue;
    const { name, isContact } = targetOf(column, action);
    const target = isContact ? contact : fields;
    if (Object.hasOwn(target, name))
      throw new Problem('malformed_body', `Two columns are named ${name}. Remove one of them.`);
    target[name] = typeof value === 'string' ? value.trim() : value;
  }
  const texts = readLeadForm({ fields: fields as FormTexts }, 'fields', action);
  return {
    subsite: subsite.name,
    action: action.verb,
    fields: {},
    ...texts,
    ...(Object.keys(contact).length && { contact }),
  };
}

/**
 * Remembers the partner IDs of a file, for `checkRepetition`: true if an earlier row has the same
 * ID and values. @throws {Problem} malformed_body if an earlier row has the same ID but other
 * values, because one of the two leads would be lost
 */
function createRepetitionCheck(action: Action) {
  const seen = new Map<unknown, { line: number; digest: string }>();
  return (line: number, input: LeadInput): boolean => {
    if (action.effect?.kind !== 'import') return false;
    const { keyField } = action.effect;
    const id = input.fields[keyField];
    const digest = digestCanonicalJson(input);
    const earlier = seen.get(id);
    if (!earlier) seen.set(id, { line, digest });
    if (!earlier || earlier.digest === digest) return earlier !== undefined;
    const message = `Line ${earlier.line} has the same ID but different values. Give each lead its own ID.`;
    throw new Problem('malformed_body', message, {
      errors: [{ pointer: formatPointer('fields', keyField), message }],
    });
  };
}

/**
 * Creates a lead for each row, once per partner ID across runs and channels. Reports each rejected
 * row with its line, and continues with the next row. With `dryRun`, it writes nothing and reports
 * what would happen.
 */
export async function importLeads(
  rows: AsyncIterable<ImportRow> | Iterable<ImportRow>,
  { subsite, action, dryRun = false }: { subsite: Subsite; action: Action; dryRun?: boolean },
  context: Context,
): Promise<ImportReport> {
  const checkRepetition = createRepetitionCheck(action);
  const report: ImportReport = {
    imported: 0,
    known: 0,
    repeated: 0,
    erased: 0,
    unreachable: [],
    refused: [],
  };

  async function importRow(row: ImportRow): Promise<void> {
    const { line, values, fault } = row;
    try {
      if (!values)
        throw new Problem(
          'malformed_body',
          fault ?? 'The line is not a JSON object. Write one object on each line.',
        );
      const body = { ...bodyOf(values, subsite, action), sandbox: dryRun };
      const input = submitAction.parse(body, context);
      const isRepeated = checkRepetition(line, input);
      const { replayed } = await submitAction.handle(input, { channel: 'import' }, context);
      if (isRepeated) report.repeated++;
      else if (replayed) report.known++;
      else {
        report.imported++;
        if (!hasContactMethod(action, body)) report.unreachable.push(line);
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'gone') {
        report.erased++;
        return;
      }
      report.refused.push(describeRefusal(row, error, action));
    }
  }

  let group: ImportRow[] = [];
  for await (const row of rows) {
    group.push(row);
    if (group.length < BATCH_SIZE) continue;
    await Promise.all(group.map(importRow));
    group = [];
  }
  await Promise.all(group.map(importRow));
  report.unreachable.sort((one, other) => one - other);
  report.refused.sort((one, other) => one.line - other.line);
  return report;
}
