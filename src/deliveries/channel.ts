import type { LeadEvent } from './lead-event.ts';

/** How an attempt can end. Only these codes are written down, never what a server said. */
export const outcomes = {
  sent: 'It arrived.',
  timeout: 'The target did not answer in time.',
  connection: 'No connection came about, or it broke.',
  private_address: 'The target is on a private address, which ALLOW_PRIVATE_TARGETS does not allow.',
  too_large: 'The target answered with too much.',
  redirected: 'The target sent us elsewhere; redirects are not followed.',
  refused: 'The target refused it.',
  failed: 'The target had a fault of its own.',
  erased: 'The lead was erased before it was told.',
  settled: 'The operator ended it.',
  no_address: 'No address is set for the lead; it is told once there is one.',
  given_up: 'It was tried as often as it is.',
} as const;

export type Outcome = keyof typeof outcomes;

/** The ways that there are. */
export const channelNames = ['mail', 'webhook'] as const;

/** A way in which providers are told. */
export interface Channel {
  name: (typeof channelNames)[number];
  /** Whether this event goes this way. */
  takes(event: LeadEvent): boolean;
  /** Tells it once, within `SEND_MS`; never rejects. */
  send(event: LeadEvent): Promise<Outcome>;
}

/** Longest time of one attempt in ms; leases are longer. */
export const SEND_MS = 15_000;
