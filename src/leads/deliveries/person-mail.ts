import { sql } from 'drizzle-orm';
import { deliveries } from '../../../db/schema-deliveries.ts';
import { outbox } from '../../../db/schema.ts';
import { countUse, hasRoom, subjectOf } from '../../operation/budgets.ts';
import type { Site } from '../../site/site.ts';
import { readLog } from '../lead-log.ts';
import { hoursLater } from '../../operation/later.ts';
import { type Channel, PERSON } from './channel.ts';
import type { LeadEvent } from './lead-event.ts';
import { notMeUrl, type PersonNews, personMailText } from './person-mail-text.ts';
import { mailSender, type MailServer } from './send-mail.ts';

/** How mail to people is sent. */
export interface PersonMailOptions extends Omit<MailServer, 'home'> {
  from: string;
  site: Site;
}

/** Most messages about one lead, and to one address in 24 hours. */
const MAX_PER_LEAD = 5;
const MAX_PER_ADDRESS = 10;
/** Age from which an event is no news any more, in ms: longer than retries go on. */
const NEWS_MS = 4 * 24 * 3_600_000;
/** Age from which a receipt is none, in ms: a lead may be planned anew much later. */
const RECEIPT_MS = 24 * 3_600_000;

/** What an event is to the person; undefined where it is nothing to write about. */
function newsOf({ change, person }: LeadEvent): PersonNews | undefined {
  // Whoever was imported asked somebody else.
  if (!change) return person.channel === 'import' ? undefined : 'receipt';
  const { from, to, by } = change;
  if (to === 'confirmed' && from !== to) return 'confirmed';
  if (by !== 'provider' && by !== 'operator') return undefined;
  if (to === 'needs_info' && change.note !== null) return 'question';
  if (to === 'quoted' && change.offer) return 'offer';
  return to === 'declined' ? 'declined' : undefined;
}

/** Whether the person is written to at all. Nobody who may not have asked is: spam comes with addresses of others. */
const isWelcome = ({ lead, person }: LeadEvent): boolean =>
  person.notify && lead.contact.email !== null && !lead.suspicions.length;

/**
 * Sends people mail about their requests: the receipt, questions, offers and the outcome, at most 5 a lead and 10 an address
 * in 24 hours. All messages about a lead are one thread, and each can end the mail.
 */
export function personMailChannel({ from, site, ...server }: PersonMailOptions): Channel {
  const send = mailSender({ ...server, home: new URL(site.base).hostname });
  return {
    name: PERSON,
    takes: (event) => isWelcome(event) && newsOf(event) !== undefined,

    async bounds(event, context) {
      const now = context.now();
      const address = {
        budget: 'person_mail' as const,
        subject: await subjectOf('contact', event.lead.contact.email ?? '', context),
        limit: MAX_PER_ADDRESS,
        noun: 'message',
        scope: 'to one address in 24 hours',
        until: hoursLater(now, 24),
      };
      const oldest = now.getTime() - (event.change ? NEWS_MS : RECEIPT_MS);
      const events = sql`(select ${outbox.id} from ${outbox} where ${outbox.lead} = ${event.person.token})`;
      const sent = sql`(select count(*) from ${deliveries} where ${deliveries.channel} = ${PERSON} and ${deliveries.event} in ${events})`;
      const conditions = [
        sql`${Date.parse(event.at) > oldest ? 1 : 0}`,
        sql`${sent} < ${MAX_PER_LEAD}`,
        ...hasRoom([address], now),
      ];
      return {
        condition: sql.join(conditions, sql` and `),
        rows: (planned) => countUse([address], event.id, planned),
      };
    },

    async send(event, context) {
      const news = newsOf(event);
      const recipient = event.lead.contact.email;
      const old = context.now().getTime() - Date.parse(event.at) > NEWS_MS;
      if (!news || !recipient || old || !isWelcome(event)) return 'outdated';
      const { reference } = event.lead;
      const log = await readLog(event.person.token, context);
      return send({
        from,
        to: recipient,
        ...personMailText(news, event, log, { site, now: context.now() }),
        // The provider’s message about the same event is another one.
        id: `${event.id}.${PERSON}`,
        ...(event.change && { thread: `${reference}.${PERSON}` }),
        date: new Date(event.at),
        unsubscribe: notMeUrl(site, event.person.token),
      });
    },
  };
}
