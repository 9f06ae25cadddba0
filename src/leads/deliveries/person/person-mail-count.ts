import { type SQL, sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts } from '../../../../db/schema-deliveries.ts';
import { leads, outbox } from '../../../../db/schema.ts';
import { eventRevisionOf } from '../../lead-rows.ts';
import { ADDRESS_REJECTED_OUTCOME } from '../late-deliveries.ts';

/**
 * SQL for the number of planned emails to the person about a lead, optionally only for events
 * before the event with the payload `before`.
 */
export function selectPersonMailCount(
  receiptToken: string | typeof leads.token,
  before?: typeof outbox.payload,
): SQL<number> {
  const all = sql`select o.id from ${outbox} as o where o.lead = ${receiptToken}`;
  const events = before
    ? sql`${all} and ${eventRevisionOf(sql`o.payload`)} < ${eventRevisionOf(before)}`
    : all;
  return sql<number>`(select count(*) from ${deliveries} as d where d.channel = 'person' and d.event in (${events}))`;
}

/**
 * SQL for whether the mail server permanently rejected the person's address at the last attempt to
 * email them about a lead; null without an attempt.
 */
export const selectAddressRejection = (lead: typeof leads.token): SQL<number | null> =>
  sql<
    number | null
  >`(select a.outcome = ${ADDRESS_REJECTED_OUTCOME} and a.response like '5%' from ${deliveryAttempts} as a where a.channel = 'person' and a.event in (select o.id from ${outbox} as o where o.lead = ${lead}) order by a.id desc limit 1)`;

/**
 * SQL for whether the provider has to call a lead's customer, who left a phone number and gets no
 * email. A call that is due stays due even after the email attempt is deleted from the log.
 */
export const selectMustBeCalled = sql<
  number | null
>`${leads.contactPhone} is not null and (${leads.contactEmail} is null or ${leads.notify} = 0 or ${leads.callDueAt} is not null or ${selectAddressRejection(leads.token)})`;
