import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type Outcome, SEND_MS } from './channel.ts';

/** A message in plain text. */
export interface Mail {
  /** Address, or name and address, of the sender and the recipient. */
  from: string;
  to: string;
  replyTo?: string | { name: string; address: string };
  subject: string;
  text: string;
  /** The same in every attempt. */
  id: string;
  /** Id of the message that began the thread; absent in that message itself. */
  thread?: string;
  date: Date;
  /**
   * Address that ends mail of this kind, on opening a page or by one click (RFC 2369, RFC 8058).
   */
  unsubscribe?: string;
}

/** Sends a message once, within the time of the sender; never rejects. */
export type SendMail = (mail: Mail) => Promise<Outcome>;

/** Where mail is handed over. */
export interface MailServer {
  /**
   * smtp: or smtps: URL, with user and password where they are needed; `?tls=` as in
   * .github/OPERATING.md.
   */
  url: string;
  /**
   * Host name of this service: by it messages are named, and it greets the server where the URL has
   * no other name.
   */
  home: string;
  timeoutMs?: number;
}

/** What nodemailer’s errors mean, by their code or the server’s reply. */
function outcomeOf(error: unknown, late: boolean): Outcome {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (late || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ETLS') return 'tls';
  if (responseCode !== undefined) return responseCode >= 500 ? 'refused' : 'failed';
  return code === 'EAUTH' || code === 'EENVELOPE' ? 'refused' : 'connection';
}

/** How an attempt at a message ended, with what the server answered or the connection said. */
export interface MailAttempt {
  outcome: Outcome;
  answer: string;
}

/**
 * A sender of plain-text mail through an SMTP server; every message is marked as sent by a machine.
 */
export function mailSender(server: MailServer): SendMail {
  const attempt = mailAttempts(server);
  return async (mail) => (await attempt(mail)).outcome;
}

/** As `mailSender`, which says what the server answered: for the operator's eyes alone. */
export function mailAttempts({
  url,
  home,
  timeoutMs = SEND_MS,
}: MailServer): (mail: Mail) => Promise<MailAttempt> {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const literal = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  // A password is never sent in plain text unless the operator says so.
  const tls = searchParams.get('tls') ?? (username ? 'required' : 'optional');
  const idOf = (id: string) => `<${id}@${home}>`;

  return async ({ from, to, replyTo, subject, text, id, thread, date, unsubscribe }) => {
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
          // Where plain text would do, as for a relay on this machine, a certificate of its own
          // does too.
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
      const message = {
        from,
        to,
        ...(replyTo && { replyTo }),
        subject,
        text,
        messageId: idOf(id),
        ...(thread !== undefined && { inReplyTo: idOf(thread), references: idOf(thread) }),
        date,
        // RFC 3834: no machine is to answer.
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribe !== undefined && {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
        signal,
      };
      try {
        const { response } = await transport.sendMail(message);
        return { outcome: 'sent', answer: response };
      } finally {
        transport.close();
      }
    } catch (error) {
      const { response, message } = error as { response?: string; message?: string };
      return { outcome: outcomeOf(error, signal.aborted), answer: response ?? message ?? '' };
    }
  };
}
