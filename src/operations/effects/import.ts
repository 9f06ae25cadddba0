import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import { type PlanEffect, textOf } from './effect.ts';

/** Files one lead for each id of the partner; a second one is answered with the first one’s receipt. */
export const planImport: PlanEffect<'import'> = async ({ effect, input, context: { database } }) => {
  // A digest outlives an erase without telling the partner’s id, so that the next import does not bring the lead back.
  const importKey = createHash('sha256').update(`${input.subsite}/${input.action}/${textOf(input, effect.keyField)}`).digest('hex');
  return {
    extra: {},
    importKey,
    guards: [sql`not exists (select 1 from ${leads} where ${eq(leads.importKey, importKey)})`],
    rows: () => [],
    async refusal() {
      const [row] = await database.writer.select({ existing: leads.token, createdAt: leads.createdAt }).from(leads).where(eq(leads.importKey, importKey));
      return row ?? 'again';
    },
  };
};
