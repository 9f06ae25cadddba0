import { eq } from 'drizzle-orm';
import { callbacks } from '../../../db/schema-deliveries.ts';
import { createStatusUrl } from '../status/receipt.ts';
import type { Site } from '../../site/site.ts';
import { CALLBACK_CHANNEL, type Channel } from './channel.ts';
import type { LeadEvent } from './lead-event.ts';
import { postSignedMessage, type SignedPost } from './webhook.ts';

export interface CallbackOptions extends Pick<SignedPost, 'allowPrivate' | 'now' | 'timeoutMs'> {
  site: Pick<Site, 'base'>;
}

/** Body of a callback. It contains no personal data, in case the URL is wrong. */
const createCallbackBody = (
  { at, change, person }: LeadEvent,
  { base }: Pick<Site, 'base'>,
): string =>
  JSON.stringify({
    type: 'lead.updated',
    timestamp: at,
    data: {
      receiptToken: person.receiptToken,
      status: change?.to,
      at,
      statusUrl: createStatusUrl(base, person.receiptToken),
    },
  });

/**
 * Posts each change to a lead to the callback URL of the program that created it, signed per
 * Standard Webhooks with the secret of the program's key. Stops when the key is revoked or expires,
 * or the program responds with 410.
 */
export const createCallbackChannel = ({ site, ...postOptions }: CallbackOptions): Channel => ({
  name: CALLBACK_CHANNEL,
  // The transaction that makes the change also writes the deliveries.
  accepts: () => false,
  async send(event, { database: { writer } }) {
    const { callback, receiptToken } = event.person;
    if (!callback) return { outcome: 'outdated' };
    const message = { id: event.id, body: createCallbackBody(event, site) };
    const result = await postSignedMessage({ ...postOptions, ...callback, ...message });
    if (result.outcome === 'gone')
      await writer.delete(callbacks).where(eq(callbacks.lead, receiptToken));
    return result;
  },
});
