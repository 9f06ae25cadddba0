import { findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import type { Context } from '../../operation/context.ts';
import { readLog } from '../lead-log.ts';
import { readReceiptExtra } from '../status/read-receipt-extra.ts';
import { shownTermsOf } from '../status/shown-terms.ts';
import { countAddressMail } from './person/address-mail.ts';
import type { Channel } from './channel.ts';
import { NO_ADDRESS_OUTCOME } from './late-deliveries.ts';
import type { LeadEvent } from './lead-event.ts';
import { type MailText, renderMail } from './mail-text.ts';
import { createMailSender, type MailServer, type Sender } from './send-mail.ts';

export interface MailOptions extends Omit<MailServer, 'serviceHost'> {
  from: Sender;
  /** Recipient for subsites without an address in the registry. */
  to?: string | undefined;
  site: Site;
}

export const recipientOf = (
  subsite: string,
  { site, to }: Pick<MailOptions, 'site' | 'to'>,
): string | undefined => findSubsite(site.registry, subsite)?.notify ?? to;

/**
 * The email about an event. Includes the current request or, if the lead was erased, only the
 * event.
 */
export async function composeMail(event: LeadEvent, context: Context): Promise<MailText> {
  const { lead, person } = event;
  const { site, now } = context;
  if (lead.status === 'erased') return renderMail(event, site);
  const log = await readLog(person.receiptToken, context);
  const { previewUrl } = await readReceiptExtra(log, context);
  return renderMail(
    { ...event, lead: { ...lead, fields: log.fields } },
    site,
    { ...shownTermsOf(log, now(), site), previewUrl },
    event.change && (await countAddressMail('answer', lead.contact.email, context)),
  );
}

/** Whether an event reports the provider's own answer and the lead has changed since. */
const isOutdated = ({ change, laterEntries }: LeadEvent): boolean =>
  change?.by === 'provider' && laterEntries.length > 0;

/**
 * Sends events as plain-text email. Replies go to the network’s organization, because mail programs
 * quote the whole message, including its answer links. `Message-ID` is derived from the event's ID,
 * so it is the same in every attempt, and all messages about a lead form one thread.
 */
export function createMailChannel({ from, to, site, ...server }: MailOptions): Channel {
  const send = createMailSender({ ...server, serviceHost: new URL(site.base).hostname });
  const { organization } = site.registry.network;
  return {
    name: 'mail',
    // The provider's own answer is sent, too, because others may read the mailbox, and its latest
    // email must not show a booking that was canceled.
    accepts: (event) =>
      !isOutdated(event) && recipientOf(event.lead.subsite, { site, to }) !== undefined,
    async send(event, context) {
      if (isOutdated(event)) return { outcome: 'outdated' };
      const recipient = recipientOf(event.lead.subsite, { site, to });
      if (!recipient) return { outcome: NO_ADDRESS_OUTCOME };
      return send({
        from,
        to: recipient,
        replyTo: { name: organization.name, address: organization.email },
        ...(await composeMail(event, context)),
        id: event.id,
        ...(event.change && { thread: event.lead.reference }),
        date: new Date(event.at),
      });
    },
  };
}
