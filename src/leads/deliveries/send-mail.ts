import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AttemptResult, type Outcome, SEND_TIMEOUT_MS } from './channel.ts';

/** Address of the sender, optionally with a name. */
export type Sender = string | { name: string; address: string };

/** A message in plain text. */
export interface Mail {
  from: Sender;
  to: string;
  replyTo?: string | { name: string; address: string };
  subject: string;
  text: string;
  /** Message-ID, the same in every attempt. */
  id: string;
  /** ID of the first message of the thread; absent in the first message. */
  thread?: string;
  date: Date;
  /** Unsubscribe URL (RFC 2369), which also supports one-click unsubscribing (RFC 8058). */
  unsubscribe?: string;
}

/** Makes one attempt to send a message, within the timeout; never rejects. */
export type SendMail = (mail: Mail) => Promise<AttemptResult>;

/** The mail server. */
export interface MailServer {
  /**
   * smtp: or smtps: URL, optionally with a user name and password; .github/OPERATING.md describes
   * `?tls=`.
   */
  url: string;
  /** Host name of this service, for Message-IDs and, unless the URL has another name, EHLO. */
  serviceHost: string;
  timeoutMs?: number;
}

/**
 * Matches a rejection due to the recipient's address, such as an unknown mailbox or domain. The
 * enhanced status codes (RFC 3463) are x.1.0 to x.1.3, x.1.6 and x.1.10; for a permanent failure,
 * also 5.2.x, 5.4.1 and, with reply 550, 5.5.0. Without an enhanced code, the reply is 450, 550,
 * 551 or 553, unless its text names the server's policy, such as a refused relay. Other codes, such
 * as 5.7.1 for a refused relay or 5.1.8 for a bad sender, report problems with the mail server or
 * its settings.
 */
const REJECTED_ADDRESS_PATTERN =
  /^(?:[45]\d\d[ -][45]\.1\.(?:[01236]|10)\b|5\d\d[ -]5\.(?:2\.\d|4\.1\b)|550[ -]5\.5\.0\b|(?:450|55[013])[ -](?![45]\.\d|.*(?:relay|polic|block|spam|denied|authenticat)))/i;

/** Maps a nodemailer error to an outcome, by its code or the server's response. */
function outcomeOf(error: unknown, timedOut: boolean): Outcome {
  const {
    code,
    command,
    responseCode,
    response = '',
  } = error as { code?: string; command?: string; responseCode?: number; response?: string };
  if (timedOut || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ETLS') return 'tls';
  if (responseCode !== undefined) {
    if (command === 'RCPT TO' && REJECTED_ADDRESS_PATTERN.test(response)) return 'address_rejected';
    return responseCode >= 500 ? 'refused' : 'failed';
  }
  return code === 'EAUTH' || code === 'EENVELOPE' ? 'refused' : 'connection';
}

function createMessage(
  { from, to, replyTo, subject, text, id, thread, date, unsubscribe }: Mail,
  serviceHost: string,
) {
  const idOf = (name: string) => `<${name}@${serviceHost}>`;
  return {
    from,
    to,
    ...(replyTo && { replyTo }),
    subject,
    text,
    messageId: idOf(id),
    ...(thread !== undefined && { inReplyTo: idOf(thread), references: idOf(thread) }),
    date,
    // Prevents automatic replies (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** Reply code and enhanced status code (RFC 3463) at the start of an SMTP reply. */
const SMTP_STATUS_PATTERN = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3})\b)?/;

/** Status code of an SMTP reply, without its text, which may contain an address. */
const statusOf = (reply: string | undefined): string | undefined =>
  SMTP_STATUS_PATTERN.exec(reply ?? '')
    ?.slice(1)
    .filter((code) => code)
    .join(' ');

interface MailAttempt extends AttemptResult {
  /** The server's response or the connection error, for the operator only; never stored. */
  answer: string;
  /**
   * Recipients that the server rejected although it accepted others, each with the server's
   * response; for the operator only, never stored.
   */
  rejections?: string[];
}

/** Sends plain-text email through an SMTP server. Every message is marked as auto-generated. */
export function createMailSender({
  url,
  serviceHost,
  timeoutMs = SEND_TIMEOUT_MS,
}: MailServer): (mail: Mail) => Promise<MailAttempt> {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const literal = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  // A password is never sent in plain text unless the operator allows it.
  const tls = searchParams.get('tls') ?? (username ? 'required' : 'optional');

  return async (mail) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      // The timeout is a separate promise, because a DNS lookup cannot be canceled.
      const timeout = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', reject, { once: true }),
      );
      const { address: host } = await Promise.race([lookup(literal), timeout]);
      // Load the library on first use, because some services send no email.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        host,
        port: port ? Number(port) : secure ? 465 : 587,
        secure,
        name: searchParams.get('name') ?? serviceHost,
        ignoreTLS: tls === 'off',
        requireTLS: tls === 'required',
        tls: {
          // The connection goes to the IP address, but the certificate has the host name.
          ...(!isIP(literal) && { servername: hostname }),
          // If plain text is allowed, for example for a local relay, self-signed certificates are
          // too.
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
      try {
        const {
          response,
          rejected,
          rejectedErrors = [],
        } = await transport.sendMail({ ...createMessage(mail, serviceHost), signal });
        return {
          outcome: 'sent',
          response: statusOf(response),
          answer: response,
          ...(rejected.length > 0 && {
            rejectedRecipients: rejected.length,
            rejections: rejected.map(
              (address, index) => `${address}: ${rejectedErrors[index]?.response ?? 'rejected'}`,
            ),
          }),
        };
      } finally {
        transport.close();
      }
    } catch (error) {
      const { response, message } = error as { response?: string; message?: string };
      return {
        outcome: outcomeOf(error, signal.aborted),
        response: statusOf(response),
        answer: response ?? message ?? '',
      };
    }
  };
}
