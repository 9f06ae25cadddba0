import { findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import type { Context } from '../../operation/context.ts';
import { requestAt } from '../holds/log-with-hold.ts';
import { readLog } from '../lead-log.ts';
import { readReceiptExtra } from '../status/read-receipt-extra.ts';
import { shownTerms } from '../status/shown-terms.ts';
import type { Channel } from './channel.ts';
import type { LeadEvent } from './lead-event.ts';
import { type MailText, mailText } from './mail-text.ts';
import { mailSender, type MailServer } from './send-mail.ts';

/** Options for email to providers. */
export interface MailOptions extends Omit<MailServer, 'serviceHost'> {
  from: string;
  /** Recipient for subsites without an address in the registry. */
  to?: string | undefined;
  site: Site;
}

/** The recipient of a subsite's leads. */
export const recipientOf = (
  subsite: string,
  { site, to }: Pick<MailOptions, 'site' | 'to'>,
): string | undefined => findSubsite(site.registry, subsite)?.notify ?? to;

/**
 * The email about an event. Includes the request and its terms at the time of the event, and links
 * with the current terms; if the lead was erased, includes only the event.
 */
export async function mailOf(event: LeadEvent, context: Context): Promise<MailText> {
  const { lead, person, revision, at } = event;
  const { site, now } = context;
  if (lead.status === 'erased') return mailText(event, site);
  const log = await readLog(person.token, context);
  const { previewUrl } = await readReceiptExtra(log, context);
  const logAtEvent = requestAt(log, revision, site.registry);
  return mailText(
    { ...event, lead: { ...lead, fields: logAtEvent.fields } },
    site,
    { ...shownTerms(logAtEvent, new Date(at), site), previewUrl },
    shownTerms(log, now(), site),
  );
}

/**
 * Sends events as plain-text email; replies go to the person. `Message-ID` is derived from the
 * event's ID, so it is the same in every attempt, and all messages about a lead form one thread.
 */
export function mailChannel({ from, to, site, ...server }: MailOptions): Channel {
  const send = mailSender({ ...server, serviceHost: new URL(site.base).hostname });
  return {
    name: 'mail',
    // Providers are notified of their own actions only if the message has links for the next step.
    accepts: ({ change, lead, links }) =>
      (change?.by !== 'provider' || Object.keys(links).length > 0) &&
      recipientOf(lead.subsite, { site, to }) !== undefined,
    async send(event, context) {
      const recipient = recipientOf(event.lead.subsite, { site, to });
      if (!recipient) return 'refused';
      const { name, email } = event.lead.contact;
      return send({
        from,
        to: recipient,
        ...(email && { replyTo: name ? { name, address: email } : email }),
        ...(await mailOf(event, context)),
        id: event.id,
        ...(event.change && { thread: event.lead.reference }),
        date: new Date(event.at),
      });
    },
  };
}
