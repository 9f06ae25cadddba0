import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ChannelResponse, ChannelRequest } from './channel.ts';

const TIMEOUT_MS = 30_000;
/**
 * Maximum time between the last byte of a request and the cut, in ms. It is short enough to cut
 * before or during the response.
 */
const MAX_CUT_DELAY_MS = 20;

/**
 * Sends a request on its own connection. With `cut`, it destroys the connection shortly after the
 * last byte, and there is no response. @throws when there is no response and `cut` is not set
 */
export function send(
  base: string,
  { method = 'POST', path, headers, body }: ChannelRequest,
  cut: boolean,
): Promise<ChannelResponse | undefined> {
  const url = new URL(path, base);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      url,
      {
        method,
        agent: false,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        timeout: TIMEOUT_MS,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve(
            cut
              ? undefined
              : {
                  status: response.statusCode!,
                  headers: response.headers,
                  body: Buffer.concat(chunks).toString(),
                },
          ),
        );
        response.on('error', (error) => (cut ? resolve(undefined) : reject(error)));
      },
    );
    clientRequest.on('timeout', () => clientRequest.destroy(new Error('timeout')));
    clientRequest.on('error', (error) => (cut ? resolve(undefined) : reject(error)));
    clientRequest.end(body, () => {
      if (cut)
        setTimeout(() => {
          clientRequest.destroy();
          resolve(undefined);
        }, Math.random() * MAX_CUT_DELAY_MS);
    });
  });
}
