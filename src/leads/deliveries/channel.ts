import type { SQL } from 'drizzle-orm';
import type { Context } from '../../operation/context.ts';
import type { LeadEvent } from './lead-event.ts';

/** How an attempt can end. Only these codes are written down, never what a server said. */
export const outcomes = {
  sent: 'Delivered.',
  tls: 'The mail server offers no TLS, which SMTP_URL requires.',
  timeout: 'The target did not answer in time.',
  connection: 'The connection failed or broke.',
  private_address:
    'The target is on a private address, which ALLOW_PRIVATE_TARGETS does not allow.',
  too_large: 'The target’s answer was too large.',
  redirected: 'The target answered with a redirect; redirects are not followed.',
  refused: 'The target rejected the message.',
  failed: 'The target had an internal error.',
  gone: 'The target answered 410: it takes no more notifications.',
  erased: 'The lead was erased before delivery.',
  settled: 'The operator canceled the delivery.',
  no_address: 'No address is set for the lead; it is sent once there is one.',
  outdated: 'It was outdated, or the person wants no mail.',
  given_up: 'Retries exhausted.',
} as const;

export type Outcome = keyof typeof outcomes;

/** Names of the channels through which providers are notified. */
export const channelNames = ['mail', 'webhook'] as const;

/**
 * Name of the channel of mail to whoever asked. Word for word in the condition of an index in
 * db/schema-deliveries.ts.
 */
export const PERSON = 'person';

/** Name of the channel to programs that filed leads. As the one above. */
export const CALLBACK = 'callback';

/** Name of the channel to programs that follow tasks of A2A. As the one above. */
export const PUSH = 'push';

/** Whether a channel notifies programs, whose deliveries are written with each change. */
export const isForPrograms = ({ name }: Pick<Channel, 'name'>): boolean =>
  name === CALLBACK || name === PUSH;

/** Whether a channel notifies providers. */
export const isForProviders = (channel: Pick<Channel, 'name'>): boolean =>
  channel.name !== PERSON && !isForPrograms(channel);

/** A channel through which providers, the person, or programs that follow a lead are notified. */
export interface Channel {
  name: (typeof channelNames)[number] | typeof PERSON | typeof CALLBACK | typeof PUSH;
  /** Whether this event goes through this channel. */
  takes: (event: LeadEvent) => boolean;
  /**
   * What bounds it: an event that it takes is delivered where the condition holds, with rows that
   * count it where that was done.
   */
  bounds?: (
    event: LeadEvent,
    context: Context,
  ) => Promise<{ condition: SQL; rows: (planned: SQL) => readonly SQL[] }>;
  /**
   * Sends it once, within `SEND_MS`; never rejects but for a fault of the database. `target` is
   * that of the delivery.
   */
  send: (event: LeadEvent, context: Context, target: string) => Promise<Outcome>;
}

/** Longest time of one attempt in ms; leases are longer. */
export const SEND_MS = 15_000;
