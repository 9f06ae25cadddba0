import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** A raw response. */
export interface ProbeResponse {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

const TIMEOUT_MS = 20_000;

/** Sends a request without following redirects or decoding. @throws if there is no response */
export function ask(
  base: string,
  path: string,
  method = 'GET',
  headers: Record<string, string> = {},
  body?: string,
): Promise<ProbeResponse> {
  const url = new URL(base);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      {
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        path: encodeURI(path),
        method,
        headers,
        timeout: TIMEOUT_MS,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as ProbeResponse['headers'],
            body: Buffer.concat(chunks),
          }),
        );
        response.on('error', reject);
      },
    );
    clientRequest.on('timeout', () => clientRequest.destroy(new Error('timeout')));
    clientRequest.on('error', reject);
    clientRequest.end(body);
  });
}
