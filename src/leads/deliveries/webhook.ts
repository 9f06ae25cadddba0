import { Webhook } from 'standardwebhooks';
import { sendOutboundRequest, UnreachableError } from '../../outbound/outbound.ts';
import { type AttemptResult, type Channel, type Outcome, SEND_TIMEOUT_MS } from './channel.ts';
import type { LeadEvent } from './lead-event.ts';

/** Options for posting events. */
export interface WebhookOptions {
  url: string;
  /** Standard Webhooks secret, `whsec_…`. */
  secret: string;
  allowPrivate: boolean;
  now: () => Date;
  timeoutMs?: number;
}

/** Maximum size of the response, which is ignored, in bytes. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** The body for an event per Standard Webhooks: type, timestamp, data. */
const createWebhookBody = ({ kind, at, change, lead, links, linksUntil }: LeadEvent): string =>
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
  if (status === 410) return 'gone';
  return status < 500 ? 'refused' : 'failed';
}

/** A webhook message. */
export interface SignedPost extends WebhookOptions {
  /** ID of the message, the same in every attempt. */
  id: string;
  body: string;
  /** Headers in addition to the Standard Webhooks headers; they may replace the media type. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Makes one attempt to post a message, signed per Standard Webhooks; never rejects. Redirects are
 * not followed.
 */
export async function postSignedMessage({
  url,
  secret,
  id,
  body,
  headers: extraHeaders,
  allowPrivate,
  now,
  timeoutMs = SEND_TIMEOUT_MS,
}: SignedPost): Promise<AttemptResult> {
  const time = now();
  const headers = {
    'content-type': 'application/json',
    ...extraHeaders,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, time, body),
  };
  try {
    const maxBytes = MAX_RESPONSE_BYTES;
    const request = { method: 'POST' as const, headers, body, timeoutMs, maxBytes, allowPrivate };
    const { status } = await sendOutboundRequest(url, request);
    return { outcome: outcomeOf(status), response: String(status) };
  } catch (error) {
    return { outcome: error instanceof UnreachableError ? error.reason : 'failed' };
  }
}

/** Posts events to the provider; `webhook-id` is the event ID in every attempt. */
export const createWebhookChannel = (options: WebhookOptions): Channel => ({
  name: 'webhook',
  accepts: () => true,
  async send(event) {
    const result = await postSignedMessage({
      ...options,
      id: event.id,
      body: createWebhookBody(event),
    });
    // A 410 response does not end notifications here, because the operator set the URL.
    return result.outcome === 'gone' ? { ...result, outcome: 'refused' } : result;
  },
});
