import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const unmapIpv4 = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/**
 * Client address behind `trusted` proxies. Each proxy appends its peer address to X-Forwarded-For,
 * so the client address is the entry at this position from the right. Entries further left come
 * from the client and are not trusted.
 */
export function clientAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedHops: number,
): string {
  const socket = unmapIpv4(request.socket.remoteAddress ?? '');
  if (trustedHops === 0) return socket;
  const forwardedAddresses = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => unmapIpv4(part.trim()))
    .filter(Boolean);
  const chain = [...forwardedAddresses, socket];
  const trustedEnd = Math.max(0, chain.length - 1 - trustedHops);
  for (const address of chain.slice(trustedEnd)) if (isIP(address)) return address;
  return socket;
}
