import { findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import type { Channel } from './channel.ts';
import { mailText } from './mail-text.ts';
import { mailSender, type MailServer } from './send-mail.ts';

/** How mail to providers is sent. */
export interface MailOptions extends Omit<MailServer, 'home'> {
  from: string;
  /** Who is written to where the registry names nobody; nobody when left out. */
  to?: string | undefined;
  site: Site;
}

/** Who is notified of a subsite’s leads. */
export const recipientOf = (
  subsite: string,
  { site, to }: Pick<MailOptions, 'site' | 'to'>,
): string | undefined => findSubsite(site.registry, subsite)?.notify ?? to;

/**
 * Sends events as mail in plain text; a reply goes to the person. `Message-ID` is made of the
 * event’s id in every attempt, and all messages about a lead are one thread.
 */
export function mailChannel({ from, to, site, ...server }: MailOptions): Channel {
  const send = mailSender({ ...server, home: new URL(site.base).hostname });
  return {
    name: 'mail',
    // What a provider did is news to it only where it brings links for what comes next.
    takes: ({ change, lead, links }) =>
      (change?.by !== 'provider' || Object.keys(links).length > 0) &&
      recipientOf(lead.subsite, { site, to }) !== undefined,
    async send(event) {
      const recipient = recipientOf(event.lead.subsite, { site, to });
      if (!recipient) return 'refused';
      const { name, email } = event.lead.contact;
      return send({
        from,
        to: recipient,
        ...(email && { replyTo: name ? { name, address: email } : email }),
        ...mailText(event, site),
        id: event.id,
        ...(event.change && { thread: event.lead.reference }),
        date: new Date(event.at),
      });
    },
  };
}
