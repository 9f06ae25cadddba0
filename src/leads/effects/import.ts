import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import { digestCanonicalJson } from '../../operation/canonical-digest.ts';
import { Problem } from '../../operation/problem.ts';
import { formatPointer } from '../../operation/json-pointer.ts';
import { type PlanEffect, textOf } from './effect.ts';

// The digest remains after an erasure, so that the next import does not restore the lead. It does
// not reveal the partner's ID.
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Creates one lead for each partner ID that the operator imports. Only leads from earlier imports
 * count, so that nobody can claim an ID through a public channel. There, only an identical request
 * is a repeat, so that nobody can find out which IDs exist, or whose.
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
  const importKey = digest(
    channel === 'import' ? name : `sent ${name} ${digestCanonicalJson(columns)}`,
  );
  const hasKey = eq(leads.importKey, importKey);
  return {
    extra: {},
    importKey,
    guards: [sql`not exists (select 1 from ${leads} where ${hasKey})`],
    async rejection() {
      const [row] = await database.writer
        .select({ status: leads.status, token: leads.token, createdAt: leads.createdAt })
        .from(leads)
        .where(hasKey);
      if (!row) return 'retry';
      if (row.status === 'erased') {
        const message =
          'The lead with this ID was erased and cannot be created again. Use a new ID for another person.';
        throw new Problem('gone', message, {
          errors: [{ pointer: formatPointer(...fieldsPath, effect.keyField), message }],
        });
      }
      return { existing: row.token, createdAt: row.createdAt };
    },
  };
};
