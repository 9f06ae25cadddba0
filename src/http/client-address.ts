import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** An IPv4 address that came mapped into IPv6 is written as IPv4. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/**
 * Address of the client behind `trusted` proxies: each appends the address it was called from to
 * X-Forwarded-For, so the client’s is that many places from the right. Anything further left was
 * written by the client and is not trusted.
 */
export function clientAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  trusted: number,
): string {
  const socket = plain(request.socket.remoteAddress ?? '');
  if (trusted === 0) return socket;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => plain(part.trim()))
    .filter(Boolean);
  const chain = [...forwarded, socket];
  const trustedEnd = Math.max(0, chain.length - 1 - trusted);
  for (const address of chain.slice(trustedEnd)) if (isIP(address)) return address;
  return socket;
}
