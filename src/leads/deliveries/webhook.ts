import { Webhook } from 'standardwebhooks';
import { exchange, Unreachable } from '../../capabilities/adapters/outbound.ts';
import { type Channel, type Outcome, SEND_MS } from './channel.ts';
import type { LeadEvent } from './lead-event.ts';

/** Where events are posted. */
export interface WebhookOptions {
  url: string;
  /** Standard Webhooks secret, `whsec_…`. */
  secret: string;
  allowPrivate: boolean;
  now: () => Date;
  timeoutMs?: number;
}

/** Most bytes of an answer, which is not read. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** The body of an event, by the Standard Webhooks specification: type, timestamp, data. */
const webhookBody = ({ kind, at, change, lead, links, linksUntil }: LeadEvent): string =>
  JSON.stringify({
    type: kind,
    timestamp: at,
    data: {
      ...(change && { change }),
      ...lead,
      ...(Object.keys(links).length && { links, linksUntil }),
    },
  });

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'sent';
  if (status >= 300 && status < 400) return 'redirected';
  return status < 500 ? 'refused' : 'failed';
}

/** Posts events, signed as Standard Webhooks; `webhook-id` is the event’s id in every attempt. Redirects are not followed. */
export function webhookChannel({
  url,
  secret,
  allowPrivate,
  now,
  timeoutMs = SEND_MS,
}: WebhookOptions): Channel {
  const webhook = new Webhook(secret);
  return {
    name: 'webhook',
    takes: () => true,
    async send(event) {
      const body = webhookBody(event);
      const at = now();
      const headers = {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': webhook.sign(event.id, at, body),
      };
      try {
        return outcomeOf(
          (
            await exchange(url, {
              method: 'POST',
              headers,
              body,
              timeoutMs,
              maxBytes: MAX_ANSWER_BYTES,
              allowPrivate,
            })
          ).status,
        );
      } catch (error) {
        return error instanceof Unreachable ? error.reason : 'failed';
      }
    },
  };
}
