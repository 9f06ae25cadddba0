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
  erased: 'The lead was erased before delivery.',
  settled: 'The operator ended the delivery.',
  no_address: 'No address is set for the lead; it is sent once there is one.',
  given_up: 'Retries exhausted.',
} as const;

export type Outcome = keyof typeof outcomes;

/** Channel names. */
export const channelNames = ['mail', 'webhook'] as const;

/** A channel through which providers are notified. */
export interface Channel {
  name: (typeof channelNames)[number];
  /** Whether this event goes through this channel. */
  takes: (event: LeadEvent) => boolean;
  /** Sends it once, within `SEND_MS`; never rejects. */
  send: (event: LeadEvent) => Promise<Outcome>;
}

/** Longest time of one attempt in ms; leases are longer. */
export const SEND_MS = 15_000;
