import { and, eq, inArray, sql } from 'drizzle-orm';
import { holds } from '../../../db/schema-effects.ts';
import { leads, offers, outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { formatDueTimeOrDay, formatShortTime } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { inbox } from '../../text/index.ts';
import { readHistories } from '../lead-log.ts';
import { isEnded, isUndecided } from '../lead-states.ts';
import { hasUnansweredMessage } from '../status/unanswered-messages.ts';
import { newestOfferEntry } from './list-leads.ts';

const text = inbox.entry;

/**
 * What is due for each lead in a list, as text by reference: an answer, a call, and the end of a
 * hold or an offer; also whether the customer has written.
 */
export async function describeDeadlines(
  references: readonly string[],
  { database, site, now }: Pick<Context, 'database' | 'site' | 'now'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!references.length) return new Map();
  const { timeZone } = site.registry.network;
  const time = now();
  const rows = await database.background
    .select({
      reference: outbox.id,
      token: leads.token,
      status: leads.status,
      emergency: leads.emergency,
      dueAt: leads.dueAt,
      callDueAt: leads.callDueAt,
      offerEnd: offers.expiresAt,
      holdEnd: sql<string | null>`iif(${holds.releasedAt} is null, ${holds.expiresAt}, null)`,
    })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .leftJoin(offers, eq(offers.entry, newestOfferEntry))
    .leftJoin(holds, and(eq(holds.lead, leads.token), eq(holds.offer, '')))
    .where(inArray(outbox.id, [...references]));
  const histories = await readHistories(
    rows.filter(({ status }) => !isEnded(status) || status === 'erased').map(({ token }) => token),
    database.background,
  );
  const isInFuture = (end: string | null): end is string =>
    end !== null && end > time.toISOString();
  const describeEnd = (template: string, end: string) =>
    fill(template, { at: formatShortTime(end, timeZone) });
  return new Map(
    rows.map(({ reference, token, status, emergency, dueAt, callDueAt, offerEnd, holdEnd }) => {
      const isOpen = isUndecided(status);
      const isQuoted = status === 'quoted';
      const hasOpenOffer = isQuoted && isInFuture(offerEnd);
      const history = histories.get(token) ?? [];
      const wasConfirmed = history.some((entry) => entry.status === 'confirmed');
      const facts = [
        status === 'erased' && wasConfirmed && text.nothingBooked,
        dueAt !== null &&
          formatDueTimeOrDay(dueAt, time, { timeZone, isEmergency: emergency && isOpen }),
        !isEnded(status) && hasUnansweredMessage(history) && text.customerWrote,
        emergency && isOpen && dueAt === null && text.nothingAgreed,
        callDueAt !== null && text.call,
        hasOpenOffer && describeEnd(text.offerEnds, offerEnd),
        isQuoted && !hasOpenOffer && text.offerEnded,
        isOpen && !hasOpenOffer && isInFuture(holdEnd) && describeEnd(text.holdEnds, holdEnd),
      ];
      return [reference, facts.filter((fact) => fact !== false)];
    }),
  );
}
