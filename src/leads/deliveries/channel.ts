import type { SQL } from 'drizzle-orm';
import type { Context } from '../../operation/context.ts';
import type { LeadEvent } from './lead-event.ts';

/** Outcomes of an attempt. Only these codes are stored, never a server's response. */
export const outcomes = {
  sent: 'Delivered.',
  tls: 'The mail server does not support TLS, which SMTP_URL requires.',
  timeout: 'The target did not respond in time.',
  connection: 'The connection failed or was interrupted.',
  private_address:
    'The target is on a private address, which ALLOW_PRIVATE_TARGETS does not allow.',
  too_large: 'The target’s response was too large.',
  redirected: 'The target responded with a redirect; redirects are not followed.',
  refused: 'The target rejected the message.',
  failed: 'The target had an internal error.',
  gone: 'The target responded with 410: it wants no more notifications.',
  erased: 'The lead was erased before delivery.',
  settled: 'The operator canceled the delivery.',
  no_address: 'No address is set for the lead; it will be sent once there is one.',
  outdated: 'It was outdated, or the person wants no email.',
  given_up: 'Retries exhausted.',
} as const;

export type Outcome = keyof typeof outcomes;

/** Names of the channels through which providers are notified. */
export const channelNames = ['mail', 'webhook'] as const;

/**
 * Name of the channel for email to the person. Must match the condition of an index in
 * db/schema-deliveries.ts.
 */
export const PERSON = 'person';

/** Name of the channel for callbacks. Must match the same condition. */
export const CALLBACK = 'callback';

/** Name of the channel for A2A push notifications. Must match the same condition. */
export const PUSH = 'push';

/** Whether a channel notifies programs, whose deliveries are written with each change. */
export const isForPrograms = ({ name }: Pick<Channel, 'name'>): boolean =>
  name === CALLBACK || name === PUSH;

/** Whether a channel notifies providers. */
export const isForProviders = (channel: Pick<Channel, 'name'>): boolean =>
  channel.name !== PERSON && !isForPrograms(channel);

/** A channel that notifies providers, the person, or programs that follow a lead. */
export interface Channel {
  name: (typeof channelNames)[number] | typeof PERSON | typeof CALLBACK | typeof PUSH;
  /** Whether this channel delivers the event. */
  accepts: (event: LeadEvent) => boolean;
  /**
   * The limits of the channel: an event is delivered only if `condition` holds, and `rows` then
   * count it.
   */
  limit?: (
    event: LeadEvent,
    context: Context,
  ) => Promise<{ condition: SQL; rows: (planned: SQL) => readonly SQL[] }>;
  /**
   * Attempts to send an event once, within `SEND_MS`. Rejects only for a database error. `target`
   * is the delivery's target.
   */
  send: (event: LeadEvent, context: Context, target: string) => Promise<Outcome>;
}

/** Maximum duration of one attempt, in ms. Leases are longer. */
export const SEND_MS = 15_000;
