import { eq } from 'drizzle-orm';
import { callbacks } from '../../../db/schema-deliveries.ts';
import { statusUrl } from '../status/receipt.ts';
import type { Site } from '../../site/site.ts';
import { CALLBACK, type Channel } from './channel.ts';
import type { LeadEvent } from './lead-event.ts';
import { postSigned, type SignedPost } from './webhook.ts';

/** Options of callbacks to programs that filed leads. */
export interface CallbackOptions extends Pick<SignedPost, 'allowPrivate' | 'now' | 'timeoutMs'> {
  site: Pick<Site, 'base'>;
}

/**
 * The body of a callback: only data that the program can read anyway, so that a wrong URL reveals
 * nothing about a person.
 */
const bodyOf = ({ at, change, person }: LeadEvent, { base }: Pick<Site, 'base'>): string =>
  JSON.stringify({
    type: 'lead.updated',
    timestamp: at,
    data: {
      receiptToken: person.token,
      status: change?.to,
      at,
      statusUrl: statusUrl(base, person.token),
    },
  });

/**
 * Posts each change of a lead to the callback of the program that filed it, signed per Standard
 * Webhooks with its key's secret. Stops once the key was revoked or has expired, or the program has
 * responded with 410.
 */
export const callbackChannel = ({ site, ...posting }: CallbackOptions): Channel => ({
  name: CALLBACK,
  // Its deliveries are written in the transaction of the change.
  accepts: () => false,
  async send(event, { database: { writer } }) {
    const { callback, token } = event.person;
    if (!callback) return 'outdated';
    const message = { id: event.id, body: bodyOf(event, site) };
    const outcome = await postSigned({ ...posting, ...callback, ...message });
    if (outcome === 'gone') await writer.delete(callbacks).where(eq(callbacks.lead, token));
    return outcome;
  },
});
