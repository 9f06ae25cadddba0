import { isIPv6 } from 'node:net';

/**
 * The network of one subscriber, which limits treat as one client: an IPv4 address itself, even if
 * mapped to IPv6, or the /64 prefix of an IPv6 address. All notations of an address yield the same
 * network.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // A URL normalizes each address to one notation (RFC 5952), without a zone.
  const host = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(host);
  if (mapped)
    return mapped
      .slice(1)
      .map((group) => parseInt(group, 16))
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  const [head = [], tail = []] = host.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
