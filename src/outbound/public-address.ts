import { BlockList, isIP } from 'node:net';

/**
 * IPv6 global unicast space (IANA), and IPv4-mapped addresses, which are checked as IPv4 addresses.
 * All other space is unassigned or local, or translates to IPv4 (compatible, SIIT, NAT64). Only the
 * listed space is public, so a new special-purpose block needs no new rule.
 */
const assignedBlocks = new BlockList();
assignedBlocks.addSubnet('2000::', 3, 'ipv6');
assignedBlocks.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * Blocks within IPv4 and global unicast IPv6 that the IANA special-purpose registries (RFC 6890)
 * list.
 */
const specialPurposeBlocks = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  specialPurposeBlocks.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  // Protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, drone IDs.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 addresses embed IPv4 addresses, which may be private.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const)
  specialPurposeBlocks.addSubnet(net, bits, 'ipv6');

/** Whether a string is a public IP address without a zone. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !specialPurposeBlocks.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  // A BlockList compares IPv4-mapped IPv6 addresses with its IPv4 rules as well.
  return assignedBlocks.check(address, 'ipv6') && !specialPurposeBlocks.check(address, 'ipv6');
}

/**
 * Whether the host in a URL is clearly on this machine or its network. Other host names are
 * resolved when they are called.
 */
export function hasPrivateHost(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return (
    /(?:^|\.)(?:localhost|local|internal)$/.test(host) ||
    (isIP(host) !== 0 && !isPublicAddress(host))
  );
}
