import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Removes the port that some proxies append: `203.0.113.9:51234` or `[2001:db8::1]:443`. */
const withoutPort = (entry: string): string =>
  entry.replace(/^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/, '$1$2');

/**
 * Client address behind `trustedHops` proxies. Each proxy appends its peer address to
 * X-Forwarded-For, so the client address is the entry at this position from the right. Entries
 * farther to the left come from the client and are not trusted.
 */
export function resolveClientAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedHops: number,
): string {
  const socketAddress = request.socket.remoteAddress ?? '';
  if (trustedHops === 0) return socketAddress;
  const forwardedAddresses = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => withoutPort(part.trim()))
    .filter(Boolean);
  const addressChain = [...forwardedAddresses, socketAddress];
  const clientIndex = Math.max(0, addressChain.length - 1 - trustedHops);
  for (const address of addressChain.slice(clientIndex)) if (isIP(address)) return address;
  return socketAddress;
}
