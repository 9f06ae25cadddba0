import { createHash } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import { digestCanonicalJson } from '../../operation/canonical-digest.ts';
import { Problem } from '../../operation/problem.ts';
import { formatPointer } from '../../operation/json-pointer.ts';
import { type PlanEffect, textOf } from './effect.ts';

// The digest remains after an erasure, so that the next import does not restore the lead. It does
// not reveal the partner's ID.
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Creates one lead for each partner ID. The operator's import checks only leads from earlier
 * imports, so that nobody can claim an ID through a public channel. A public channel returns an
 * existing receipt only for the same content, so that it never reveals someone else's receipt.
 */
export const planImport: PlanEffect<'import'> = async ({
  effect,
  input,
  columns,
  call: { channel },
  fieldsPath,
  context: { database },
}) => {
  const name = `${input.subsite}/${input.action}/${textOf(input, effect.keyField)}`;
  const [importedKey, sentKey] = [digest(name), digest(`sent ${name}`)];
  const keys = channel === 'import' ? [importedKey] : [importedKey, sentKey];
  const createRejection = (code: 'gone' | 'idempotency_mismatch', detail: string) =>
    new Problem(code, detail, {
      errors: [{ pointer: formatPointer(...fieldsPath, effect.keyField), message: detail }],
    });
  return {
    extra: {},
    importKey: channel === 'import' ? importedKey : sentKey,
    guards: [sql`not exists (select 1 from ${leads} where ${inArray(leads.importKey, keys)})`],
    async rejection() {
      const [row] = await database.writer
        .select()
        .from(leads)
        .where(inArray(leads.importKey, keys))
        .orderBy(sql`${eq(leads.importKey, importedKey)} desc`);
      if (!row) return 'retry';
      if (row.status === 'erased')
        throw createRejection(
          'gone',
          'The lead with this ID was erased and cannot be created again. Use a new ID for another person.',
        );
      const { source, fields, data, contactName, contactEmail, contactPhone } = row;
      const isSameContent =
        row.importKey === sentKey &&
        digestCanonicalJson({ source, fields, data, contactName, contactEmail, contactPhone }) ===
          digestCanonicalJson(columns);
      if (channel !== 'import' && !isSameContent)
        throw createRejection(
          'idempotency_mismatch',
          'A lead with this ID already exists, with different content. Send the original content again, or use a new ID.',
        );
      return { existing: row.token, createdAt: row.createdAt };
    },
  };
};
