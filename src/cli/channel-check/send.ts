import { sendRequest } from '../probe/send-request.ts';
import type { ChannelRequest, ChannelResponse } from './channel.ts';

/**
 * Maximum time between the last byte of a request and the cut, in ms. Short enough to cut the
 * connection before or during the response.
 */
const MAX_CUT_DELAY_MS = 20;

/** Sends a request on its own connection. @throws if there is no response */
export async function send(
  base: string,
  { path, ...request }: ChannelRequest,
): Promise<ChannelResponse> {
  const response = await sendRequest(base, path, { method: 'POST', agent: false, ...request });
  return { ...response, body: response.body.toString() };
}

/** Sends a request, and cuts the connection shortly after its last byte. */
export async function sendAndCut(
  base: string,
  { path, ...request }: ChannelRequest,
): Promise<void> {
  await sendRequest(base, path, {
    method: 'POST',
    agent: false,
    ...request,
    onSent: (sent) =>
      setTimeout(() => sent.destroy(new Error('cut')), Math.random() * MAX_CUT_DELAY_MS),
  }).catch(() => undefined);
}
