import { isIPv6 } from 'node:net';

/** The network of one subscriber: an IPv4 address itself, or the /64 prefix of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', suffix] = address.replace(/%.*/, '').toLowerCase().split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = suffix === undefined ? [] : suffix.split(':').filter(Boolean);
  const zeroCount = suffix === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  return [...groups, ...Array.from({ length: zeroCount }, () => '0'), ...rest]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
