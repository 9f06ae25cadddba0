import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/adapters/outbound.ts';

/** First and last address of each block that the IANA special-purpose registries (RFC 6890) or the registry of address space keep from the public. */
const blocks = {
  'this network, RFC 791': ['0.0.0.0', '0.255.255.255'],
  'private use, RFC 1918 (10)': ['10.0.0.0', '10.255.255.255'],
  'shared address space, RFC 6598': ['100.64.0.0', '100.127.255.255'],
  'loopback, RFC 1122': ['127.0.0.0', '127.255.255.255'],
  'link local, RFC 3927': ['169.254.0.0', '169.254.255.255'],
  'private use, RFC 1918 (172)': ['172.16.0.0', '172.31.255.255'],
  'protocol assignments, RFC 6890': ['192.0.0.0', '192.0.0.255'],
  'documentation, RFC 5737 (1)': ['192.0.2.0', '192.0.2.255'],
  'private use, RFC 1918 (192)': ['192.168.0.0', '192.168.255.255'],
  'benchmarking, RFC 2544': ['198.18.0.0', '198.19.255.255'],
  'documentation, RFC 5737 (2)': ['198.51.100.0', '198.51.100.255'],
  'documentation, RFC 5737 (3)': ['203.0.113.0', '203.0.113.255'],
  'multicast and reserved, RFC 5771 and 1112': ['224.0.0.0', '255.255.255.255'],
  'unspecified and loopback, RFC 4291': ['::', '::1'],
  'IPv4 through a translator, RFC 6052': ['64:ff9b::', '64:ff9b::ffff:ffff'],
  'translation of a local network, RFC 8215': ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  'discard only, RFC 6666': ['100::', '100::ffff:ffff:ffff:ffff'],
  'documentation, RFC 3849': ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  'IPv4 in IPv6 (Teredo), RFC 4380': ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  'documentation, RFC 9637': ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'segment routing, RFC 9602': ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'IPv4 in IPv6 (6to4), RFC 3056': ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'unique local, RFC 4193': ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'link local, RFC 4291': ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'multicast, RFC 4291': ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
} as const;

/** Addresses just outside of a block, and well-known ones. */
const open = ['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255',
  '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '203.0.112.255', '223.255.255.255', '2606:4700::1111', '2001:4860:4860::8888', '2001:db9::', '2003::', '100:0:0:1::'];

describe('an address', () => {
  it.each(Object.entries(blocks))('of %s is not public, nor is it inside IPv6', (_, ends) => {
    for (const address of ends) {
      expect(isPublicAddress(address), address).toBe(false);
      if (!address.includes(':')) expect(isPublicAddress(`::ffff:${address}`), address).toBe(false);
    }
  });

  it.each(open)('such as %s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
    if (!address.includes(':')) expect(isPublicAddress(`::ffff:${address}`)).toBe(true);
  });

  it('is written as one, or it is none', () => {
    for (const text of ['', 'localhost', '1.2.3', '0x7f.1', '2130706433', '1.1.1.1/8']) expect(isPublicAddress(text), text).toBe(false);
  });
});
