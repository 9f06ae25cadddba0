import type { SQL } from 'drizzle-orm';
import type { Context } from '../../operation/context.ts';
import type { LeadEvent, UnplannedReason } from './lead-event.ts';

/**
 * Outcomes of attempts and of deliveries. `settled` and `given_up` are outcomes of deliveries only,
 * never of attempts. A delivery without an address ends as `no_address`, with or without an
 * attempt, and email to a person who unsubscribed ends as `outdated` without an attempt. Only these
 * codes and the response's status code are stored, never its text.
 */
export const outcomeTexts = {
  sent: 'Delivered.',
  tls: 'The mail server does not support TLS, which SMTP_URL requires.',
  timeout: 'The target did not respond in time.',
  connection: 'The connection failed or was interrupted.',
  private_address:
    'The target has a private address, which is allowed only if ALLOW_PRIVATE_TARGETS is 1.',
  too_large: 'The target’s response was too large.',
  redirected: 'The target responded with a redirect; redirects are not followed.',
  refused: 'The target rejected the message.',
  address_rejected: 'The mail server rejected the address.',
  failed: 'The target could not process the message.',
  gone: 'The target responded with 410, which ends notifications.',
  erased: 'The lead was erased before delivery.',
  settled: 'The operator canceled the delivery, or the lead was answered without it.',
  no_address: 'The lead has no delivery address. Set one to send the message.',
  outdated: 'The message was no longer needed.',
  given_up: 'All attempts failed.',
  internal_error: 'The service could not create the message; see its log for the error.',
} as const;

export type Outcome = keyof typeof outcomeTexts;

export interface AttemptResult {
  outcome: Outcome;
  /** Status code of the response, such as `410` or `451 4.3.0`; absent without a response. */
  response?: string | undefined;
  /** Number of recipients that the mail server rejected although it accepted others. */
  rejectedRecipients?: number;
}

/**
 * Whether the mail server rejected the recipient's address with a permanent reply (5yz, RFC 5321,
 * section 4.2.1), after which the same message must not be sent again.
 */
export const isPermanentRejection = ({ outcome, response }: AttemptResult): boolean =>
  outcome === 'address_rejected' && response?.startsWith('5') === true;

/** Names of the channels that notify providers. */
export const channelNames = ['mail', 'webhook'] as const;

/**
 * Name of the channel for email to the person. Must match the condition of an index in
 * db/schema-deliveries.ts.
 */
export const PERSON_CHANNEL = 'person';

/** Name of the channel for callbacks, which an index in db/schema-deliveries.ts also contains. */
export const CALLBACK_CHANNEL = 'callback';

/**
 * Name of the channel for A2A push notifications, which an index in db/schema-deliveries.ts also
 * contains.
 */
export const PUSH_CHANNEL = 'push';

/**
 * Whether a channel notifies programs. The transaction that makes a change also stores what they
 * are to be sent.
 */
export const isForPrograms = ({ name }: Pick<Channel, 'name'>): boolean =>
  name === CALLBACK_CHANNEL || name === PUSH_CHANNEL;

export const isForProviders = (channel: Pick<Channel, 'name'>): boolean =>
  channel.name !== PERSON_CHANNEL && !isForPrograms(channel);

export interface Channel {
  name:
    | (typeof channelNames)[number]
    | typeof PERSON_CHANNEL
    | typeof CALLBACK_CHANNEL
    | typeof PUSH_CHANNEL;
  accepts: (event: LeadEvent) => boolean;
  /**
   * Limits of the channel: an event is delivered only if every condition is true, and is then
   * counted toward the limits with `rows`. Otherwise, the reason for the first false condition is
   * stored with the event.
   */
  limit?: (
    event: LeadEvent,
    context: Context,
  ) => Promise<{
    conditions: readonly (readonly [UnplannedReason, SQL])[];
    rows: (isPlanned: SQL) => readonly SQL[];
  }>;
  /**
   * Makes one attempt to send an event, within `SEND_TIMEOUT_MS`. Rejects on a database error or if
   * the message cannot be created. `target` distinguishes the recipients of a channel that has more
   * than one.
   */
  send: (event: LeadEvent, context: Context, target: string) => Promise<AttemptResult>;
}

/** Maximum duration of an attempt, in ms. Leases on deliveries last longer. */
export const SEND_TIMEOUT_MS = 15_000;
