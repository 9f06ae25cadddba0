import { and, eq, isNotNull } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { readHistories, revisionOf } from '../lead-log.ts';
import { findEntryToCallAbout } from '../status/call-due.ts';
import { type AttemptResult, isPermanentRejection, PERSON_CHANNEL } from './channel.ts';
import { selectMustBeCalled } from './person/person-mail-count.ts';

/**
 * The statements to run after an attempt to email a customer: a call about the provider's latest
 * answer becomes due if the mail server rejected the address permanently, and is no longer due if
 * it accepted the email. They read the attempt, so they must run after the statement that records
 * it.
 */
export async function planCallAfterMail(
  { lead, channel }: { lead: string; channel: string },
  result: AttemptResult,
  { database: { writer } }: Pick<Context, 'database'>,
) {
  if (channel !== PERSON_CHANNEL) return [];
  const isLead = eq(leads.token, lead);
  if (result.outcome === 'sent') {
    const isMailed = and(isNotNull(leads.contactEmail), leads.notify);
    return [
      writer
        .update(leads)
        .set({ callDueAt: null })
        .where(and(isLead, isNotNull(leads.callDueAt), isMailed)),
    ];
  }
  if (!isPermanentRejection(result)) return [];
  const entries = (await readHistories([lead], writer)).get(lead) ?? [];
  const callDueAt = entries[findEntryToCallAbout(entries)]?.at;
  return callDueAt === undefined
    ? []
    : [
        writer
          .update(leads)
          .set({ callDueAt })
          .where(and(isLead, selectMustBeCalled, eq(revisionOf(lead), entries.length))),
      ];
}
