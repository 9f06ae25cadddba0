import dns, { type LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { isIP } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { sendOutboundRequest } from '../../src/outbound/outbound.ts';
import { isPublicAddress } from '../../src/outbound/public-address.ts';

/** DNS records for the test; other names use the system resolver. */
const resolvedAddresses = new Map<string, LookupAddress[]>();
const systemLookup = dns.lookup as (name: string, options: object, callback: unknown) => void;
dns.lookup = ((name: string, options: object, callback: (...args: unknown[]) => void) => {
  const found = resolvedAddresses.get(name);
  if (found) callback(null, found);
  else systemLookup(name, options, callback);
}) as typeof dns.lookup;
syncBuiltinESMExports();
afterAll(() => {
  dns.lookup = systemLookup as typeof dns.lookup;
  syncBuiltinESMExports();
});

/**
 * First and last address of each block that is not public according to the IANA special-purpose
 * registries (RFC 6890) or the IANA address space registries.
 */
const privateBlocks = {
  'this network, RFC 791': ['0.0.0.0', '0.255.255.255'],
  'private use, RFC 1918 (10)': ['10.0.0.0', '10.255.255.255'],
  'shared address space, RFC 6598': ['100.64.0.0', '100.127.255.255'],
  'loopback, RFC 1122': ['127.0.0.0', '127.255.255.255'],
  'link local, RFC 3927': ['169.254.0.0', '169.254.255.255'],
  'private use, RFC 1918 (172)': ['172.16.0.0', '172.31.255.255'],
  'protocol assignments, RFC 6890': ['192.0.0.0', '192.0.0.255'],
  'documentation, RFC 5737 (1)': ['192.0.2.0', '192.0.2.255'],
  'private use, RFC 1918 (192)': ['192.168.0.0', '192.168.255.255'],
  'AS112, RFC 7535': ['192.31.196.0', '192.31.196.255'],
  'multicast tunneling, RFC 7450': ['192.52.193.0', '192.52.193.255'],
  '6to4 relay, RFC 7526': ['192.88.99.0', '192.88.99.255'],
  'AS112 delegation, RFC 7534': ['192.175.48.0', '192.175.48.255'],
  'benchmarking, RFC 2544': ['198.18.0.0', '198.19.255.255'],
  'documentation, RFC 5737 (2)': ['198.51.100.0', '198.51.100.255'],
  'documentation, RFC 5737 (3)': ['203.0.113.0', '203.0.113.255'],
  'multicast and reserved, RFC 5771 and 1112': ['224.0.0.0', '255.255.255.255'],
  'unspecified and loopback, RFC 4291': ['::', '::1'],
  'IPv4-compatible, RFC 4291': ['::', '::ffff:ffff'],
  'IPv4 translated (SIIT), RFC 2765': ['::ffff:0:0:0', '::ffff:0:ffff:ffff'],
  'site local, RFC 3879': ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'dummy prefix, RFC 9780': ['100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  'not assigned below 2000::': ['200::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'not assigned above 3fff:': ['4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'protocol assignments, RFC 2928': ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'IPv6 benchmarking, RFC 5180': ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  'ORCHIDv2, RFC 7343': ['2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  'AS112 delegation over IPv6, RFC 7534': [
    '2620:4f:8000::',
    '2620:4f:8000:ffff:ffff:ffff:ffff:ffff',
  ],
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

/** Addresses just outside these blocks, and well-known public addresses. */
const publicAddresses = [
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '203.0.112.255',
  '223.255.255.255',
  '2606:4700::1111',
  '2001:4860:4860::8888',
  '2001:db9::',
  '2003::',
  '2001:200::',
  '2620:4f:7fff::',
  '2620:4f:8001::',
  '3ffe:ffff::',
];

describe('an IP address', () => {
  it.each(Object.entries(privateBlocks))(
    'is private in the block for %s, even when embedded in an IPv6 address',
    (_, bounds) => {
      for (const address of bounds) {
        expect(isPublicAddress(address), address).toBe(false);
        if (!address.includes(':'))
          expect(isPublicAddress(`::ffff:${address}`), address).toBe(false);
      }
    },
  );

  it.each(publicAddresses)('is public outside the private blocks: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
    if (!address.includes(':')) expect(isPublicAddress(`::ffff:${address}`)).toBe(true);
  });

  it('is not public unless it is complete and in standard notation', () => {
    for (const text of [
      '',
      'localhost',
      '1.2.3',
      '0x7f.1',
      '2130706433',
      '1.1.1.1/8',
      '2606:4700::1111%lo',
    ])
      expect(isPublicAddress(text), text).toBe(false);
  });
});

/** Ways to embed an IPv4 address in an IPv6 address. */
const embeddings: Readonly<Record<string, (hex: string) => string>> = {
  mapped: (hex) => `::ffff:${hex}`,
  'mapped, written in full': (hex) => `0:0:0:0:0:ffff:${hex}`,
  compatible: (hex) => `::${hex}`,
  SIIT: (hex) => `::ffff:0:${hex}`,
  NAT64: (hex) => `64:ff9b::${hex}`,
  'local NAT64': (hex) => `64:ff9b:1::${hex}`,
  '6to4': (hex) => `2002:${hex}::`,
};
const toHex = (ipv4: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};

describe('a private IPv4 address', () => {
  it.each(Object.entries(embeddings))(
    'is still private when embedded in an IPv6 address (%s)',
    (_, embed) => {
      for (const bounds of Object.values(privateBlocks))
        for (const address of bounds.filter((text) => isIP(text) === 4))
          expect(isPublicAddress(embed(toHex(address))), embed(toHex(address))).toBe(false);
    },
  );
});

describe('a connection to a host name', () => {
  it('is refused when every address of the host is private', async () => {
    let requestCount = 0;
    const server = createServer((_, response) => {
      requestCount++;
      response.end('secret');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const call = (host: string) =>
      sendOutboundRequest(`http://${host}:${port}/`, {
        method: 'GET',
        headers: {},
        timeoutMs: 5_000,
        maxBytes: 100,
        allowPrivate: false,
      });
    const addresses = Object.values(privateBlocks).flat();
    for (const address of [
      ...addresses,
      ...addresses
        .filter((text) => isIP(text) === 4)
        .flatMap((ipv4) => Object.values(embeddings).map((embed) => embed(toHex(ipv4)))),
    ]) {
      resolvedAddresses.set('rebound.example', [{ address, family: isIP(address) }]);
      await expect(call('rebound.example'), address).rejects.toMatchObject({
        reason: 'private_address',
      });
      await expect(
        call(isIP(address) === 6 ? `[${address}]` : address),
        address,
      ).rejects.toMatchObject({ reason: 'private_address' });
    }
    for (const host of ['localhost', '127.1', '2130706433', '0x7f.1', '0'])
      await expect(call(host), host).rejects.toMatchObject({ reason: 'private_address' });
    expect(requestCount).toBe(0);
  });
});
