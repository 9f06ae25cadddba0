import { sql } from 'drizzle-orm';
import { recordUses, createBudgetConditions } from '../../../operation/budgets.ts';
import { readLog } from '../../lead-log.ts';
import { readReceiptExtra } from '../../status/read-receipt-extra.ts';
import { selectPersonMailCount } from './person-mail-count.ts';
import { createAddressBudget } from './address-mail.ts';
import { type Channel, PERSON_CHANNEL } from '../channel.ts';
import type { LeadEvent } from '../lead-event.ts';
import type { MailOptions } from '../mail.ts';
import { createNotMeUrl, renderPersonMail } from './person-mail-text.ts';
import { isMailed, isUnlimited, mailKindOf, mailLimitFor, topicOf } from './person-mail-topic.ts';
import { createMailSender } from '../send-mail.ts';
import { DAY_MS } from '../../../site/calendar/durations.ts';

/** Age after which an event is no longer sent, in ms. Retries end earlier. */
const MAX_EVENT_AGE_MS = 4 * DAY_MS;
/**
 * Age after which a receipt is no longer sent, in ms. The limit is needed because deliveries for an
 * old lead may be planned again.
 */
const MAX_RECEIPT_AGE_MS = DAY_MS;

/** Whether an event calls for an email to the person, regardless of limits. */
const needsEmail = (event: LeadEvent): boolean =>
  isMailed({ ...event, person: { ...event.person, mailCount: 0 } }, 0);

/**
 * Emails people about their requests: the receipt, messages and offers from the provider, a record
 * of the offer that they accept, and the outcome. Sends at most 5 emails per lead, reserving one
 * for the decision, and 10 receipts and 10 answers per address in 24 hours. Offers are emailed
 * until the lead has 9 emails, and the decision and changes to a confirmed request until it has 10;
 * the end of a confirmed request is always emailed. Emails about changes and the end of a confirmed
 * request ignore the limit per address. An email that a later event made outdated is not sent. All
 * emails about a lead form one thread, and each has an unsubscribe link.
 */
export function createPersonMailChannel({
  from,
  site,
  ...server
}: Omit<MailOptions, 'to'>): Channel {
  const send = createMailSender({ ...server, serviceHost: new URL(site.base).hostname });
  return {
    name: PERSON_CHANNEL,
    accepts: needsEmail,

    async limit(event, context) {
      const now = context.now();
      const topic = topicOf(event)!;
      const address = await createAddressBudget(
        mailKindOf(topic, event.change?.by),
        event.lead.contact.email ?? '',
        context,
      );
      const oldestEventTime =
        now.getTime() - (event.change ? MAX_EVENT_AGE_MS : MAX_RECEIPT_AGE_MS);
      return {
        conditions: [
          ['tooOld', sql`${Date.parse(event.at) > oldestEventTime ? 1 : 0}`],
          [
            'limit',
            sql`${selectPersonMailCount(event.person.receiptToken)} < ${mailLimitFor(topic, event.change)}`,
          ],
          ...(isUnlimited(topic) ? [] : createBudgetConditions([address], now)).map(
            (condition) => ['dailyLimit', condition] as const,
          ),
        ],
        rows: (isPlanned) => recordUses([address], event.id, isPlanned),
      };
    },

    async send(event, context) {
      const topic = topicOf(event);
      const recipient = event.lead.contact.email;
      const isOutdated = context.now().getTime() - Date.parse(event.at) > MAX_EVENT_AGE_MS;
      if (!topic || !recipient || isOutdated || !needsEmail(event)) return { outcome: 'outdated' };
      const { reference } = event.lead;
      const log = await readLog(event.person.receiptToken, context);
      return send({
        from,
        to: recipient,
        ...renderPersonMail(topic, event, log, {
          site,
          now: context.now(),
          ...(await readReceiptExtra(log, context)),
        }),
        // The provider gets a different message about the same event.
        id: `${event.id}.${PERSON_CHANNEL}`,
        ...(event.change && { thread: `${reference}.${PERSON_CHANNEL}` }),
        date: new Date(event.at),
        unsubscribe: createNotMeUrl(site, event.person.receiptToken),
      });
    },
  };
}
