import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../adapters/outbound.ts';
import { findSubsite, type Site } from '../registry/index.ts';
import { type Channel, type Outcome, SEND_MS } from './channel.ts';
import type { LeadEvent } from './lead-event.ts';
import { mailText } from './mail-text.ts';

/** How mail is sent. */
export interface MailOptions {
  /** smtp: or smtps: URL, with user and password where they are needed. */
  url: string;
  from: string;
  /** Who is written to where the registry names nobody; nobody when left out. */
  to?: string | undefined;
  site: Site;
  allowPrivate: boolean;
  timeoutMs?: number;
}

/** Who is told of a subsite’s leads. */
export const recipientOf = (subsite: string, { site, to }: Pick<MailOptions, 'site' | 'to'>): string | undefined => findSubsite(site.registry, subsite)?.notify ?? to;

const PRIVATE = Symbol('private address');

/** The address that the connection is made to, looked up once so that it cannot change between the check and the call. */
async function addressOf(hostname: string, allowPrivate: boolean): Promise<string | typeof PRIVATE> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal)) return allowPrivate || isPublicAddress(literal) ? literal : PRIVATE;
  const found = await lookup(literal, { all: true });
  const allowed = found.find(({ address }) => allowPrivate || isPublicAddress(address));
  return allowed?.address ?? PRIVATE;
}

/** What nodemailer’s errors mean, by their code or the server’s reply. */
function outcomeOf(error: unknown, late: boolean): Outcome {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (late || code === 'ETIMEDOUT') return 'timeout';
  if (responseCode !== undefined) return responseCode >= 500 ? 'refused' : 'failed';
  return code === 'EAUTH' || code === 'EENVELOPE' ? 'refused' : 'connection';
}

/** Sends events as mail in plain text; a reply goes to the person. `Message-ID` is made of the event’s id in every attempt. */
export function mailChannel({ url, from, to, site, allowPrivate, timeoutMs = SEND_MS }: MailOptions): Channel {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === 'smtps:';
  const home = new URL(site.base).hostname;

  async function send(event: LeadEvent): Promise<Outcome> {
    const recipient = recipientOf(event.lead.subsite, { site, to });
    if (!recipient) return 'refused';
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      // A look-up cannot be ended, only left.
      const late = new Promise<never>((_, reject) => signal.addEventListener('abort', reject, { once: true }));
      const host = await Promise.race([addressOf(hostname, allowPrivate), late]);
      if (host === PRIVATE) return 'private_address';
      // Loaded with the first mail: a service that sends none starts without it.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        host,
        port: port ? Number(port) : secure ? 465 : 587,
        secure,
        name: searchParams.get('name') ?? home,
        ignoreTLS: searchParams.get('ignoreTLS') === 'true',
        requireTLS: searchParams.get('requireTLS') === 'true',
        // The certificate is checked against the name, though the connection goes to the address.
        tls: { ...(!isIP(hostname.replace(/^\[|\]$/g, '')) && { servername: hostname }) },
        ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
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
        messageId: `<${event.id}@${home}>`,
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
    // What a provider did by a link is no news to it.
    takes: ({ change, lead }) => change?.by !== 'provider' && recipientOf(lead.subsite, { site, to }) !== undefined,
    send,
  };
}
