import type { Action, Subsite } from '../registry/index.ts';
import type { Context } from './context.ts';
import { readLeadForm } from './lead-form.ts';
import type { FormTexts } from './operation.ts';
import { type InputError, Problem } from './problem.ts';
import { siteActions, submitAction } from './submit-action.ts';

/** One row of an import, and the line that it stands on. */
export interface ImportRow {
  line: number;
  /** Columns of a table, or a JSON object; undefined where the line cannot be read. */
  values: Record<string, unknown> | undefined;
  /** Why it cannot be read, where more is known than that. */
  fault?: string;
}

/** What became of an import. */
export interface ImportReport {
  /** Rows that became leads. */
  imported: number;
  /** Rows whose lead was there before. */
  known: number;
  /** Rows whose lead was erased; they are not filed again. */
  erased: number;
  refused: { line: number; errors: readonly Omit<InputError, 'allowed'>[] }[];
}

/** Rows that are filed at once; the writer commits them together. */
const AT_ONCE = 64;

/** The actions of a site that take imports. */
export const importActions = ({ site }: Pick<Context, 'site'>) => siteActions(site.registry).filter(({ action }) => action.effect?.kind === 'import');

const contactNames = ['name', 'email', 'phone'];

/** The body that a row stands for: columns of the action are its fields, name, email and phone are the contact. */
function bodyOf(values: Record<string, unknown>, subsite: Subsite, action: Action): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const contact: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(values)) {
    if (value === null || value === undefined || (typeof value === 'string' && !value.trim())) continue;
    const name = column.trim().replace(/^(?:fields|contact)\./, '');
    const isContact = column.startsWith('contact.') || (!Object.hasOwn(action.fields, name) && contactNames.includes(name));
    const into = isContact ? contact : fields;
    if (Object.hasOwn(into, name)) throw new Problem('malformed_body', `Two columns say ${name}. Leave one of them out.`);
    into[name] = typeof value === 'string' ? value.trim() : value;
  }
  const texts = readLeadForm({ fields: fields as FormTexts }, 'fields', action);
  return { subsite: subsite.name, action: action.verb, fields: {}, ...texts, ...(Object.keys(contact).length && { contact }) };
}

/**
 * Files a lead for each row, once for each id of the partner however often it is run and whatever came by other doors, and reports each refused row with
 * its line; a refused row stops no other one.
 * @throws {DatabaseUnavailable}
 */
export async function importLeads(rows: AsyncIterable<ImportRow>, { subsite, action }: { subsite: Subsite; action: Action }, context: Context): Promise<ImportReport> {
  const report: ImportReport = { imported: 0, known: 0, erased: 0, refused: [] };

  async function take({ line, values, fault }: ImportRow): Promise<void> {
    try {
      if (!values) throw new Problem('malformed_body', fault ?? 'The line cannot be read. Write one row of the table, or one JSON object.');
      const input = submitAction.parse(bodyOf(values, subsite, action), context);
      const { replayed } = await submitAction.handle(input, { door: 'import' }, context);
      if (replayed) report.known++;
      else report.imported++;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'gone') return void report.erased++;
      report.refused.push({ line, errors: error.errors?.map(({ pointer, message }) => ({ pointer, message })) ?? [{ pointer: '', message: error.message }] });
    }
  }

  let group: ImportRow[] = [];
  for await (const row of rows) {
    group.push(row);
    if (group.length < AT_ONCE) continue;
    await Promise.all(group.map(take));
    group = [];
  }
  await Promise.all(group.map(take));
  report.refused.sort((one, other) => one.line - other.line);
  return report;
}
