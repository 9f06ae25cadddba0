import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import { type Channel, type Outcome, SEND_MS } from './channel.ts';
import type { LeadEvent } from './lead-event.ts';
import { mailText } from './mail-text.ts';

/** How mail is sent. */
export interface MailOptions {
  /** smtp: or smtps: URL, with user and password where they are needed; `?tls=` as in README. */
  url: string;
  from: string;
  /** Who is written to where the registry names nobody; nobody when left out. */
  to?: string | undefined;
  site: Site;
  timeoutMs?: number;
}

/** Who is told of a subsite’s leads. */
export const recipientOf = (
  subsite: string,
  { site, to }: Pick<MailOptions, 'site' | 'to'>,
): string | undefined => findSubsite(site.registry, subsite)?.notify ?? to;

/** What nodemailer’s errors mean, by their code or the server’s reply. */
function outcomeOf(error: unknown, late: boolean): Outcome {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (late || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ETLS') return 'tls';
  if (responseCode !== undefined) return responseCode >= 500 ? 'refused' : 'failed';
  return code === 'EAUTH' || code === 'EENVELOPE' ? 'refused' : 'connection';
}

/**
 * Sends events as mail in plain text; a reply goes to the person. `Message-ID` is made of the event’s id in every attempt, and
 * all messages about a lead are one thread.
 */
export function mailChannel({ url, from, to, site, timeoutMs = SEND_MS }: MailOptions): Channel {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const literal = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  // A password is never sent in plain text unless the operator says so.
  const tls = searchParams.get('tls') ?? (username ? 'required' : 'optional');
  const home = new URL(site.base).hostname;
  const idOf = (event: string) => `<${event}@${home}>`;

  async function send(event: LeadEvent): Promise<Outcome> {
    const recipient = recipientOf(event.lead.subsite, { site, to });
    if (!recipient) return 'refused';
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      // A look-up cannot be ended, only left.
      const late = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', reject, { once: true }),
      );
      const { address: host } = await Promise.race([lookup(literal), late]);
      // Loaded with the first mail: a service that sends none starts without it.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        host,
        port: port ? Number(port) : secure ? 465 : 587,
        secure,
        name: searchParams.get('name') ?? home,
        ignoreTLS: tls === 'off',
        requireTLS: tls === 'required',
        tls: {
          // The certificate is checked against the name, though the connection goes to the address.
          ...(!isIP(literal) && { servername: hostname }),
          // Where plain text would do, as for a relay on this machine, a certificate of its own does too.
          rejectUnauthorized: secure || tls === 'required',
        },
        ...(username && {
          auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
        }),
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const { name, email } = event.lead.contact;
      const { subject, text } = mailText(event, site);
      const message = {
        from,
        to: recipient,
        ...(email && !event.change && { replyTo: name ? { name, address: email } : email }),
        subject,
        text,
        messageId: idOf(event.id),
        ...(event.change && {
          inReplyTo: idOf(event.lead.reference),
          references: idOf(event.lead.reference),
        }),
        date: new Date(event.at),
        // RFC 3834: no machine is to answer.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      };
      try {
        await transport.sendMail(message);
        return 'sent';
      } finally {
        transport.close();
      }
    } catch (error) {
      return outcomeOf(error, signal.aborted);
    }
  }

  return {
    name: 'mail',
    // What a provider did is news to it only where it brings links for what comes next.
    takes: ({ change, lead, links }) =>
      (change?.by !== 'provider' || Object.keys(links).length > 0) &&
      recipientOf(lead.subsite, { site, to }) !== undefined,
    send,
  };
}
