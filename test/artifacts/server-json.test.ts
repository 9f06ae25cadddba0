import { describe, expect, it } from 'vitest';
import {
  findRegistryFaults,
  serverJson,
  serverJsonSchema,
  type ServerJson,
} from '../../src/artifacts/server.json.ts';
import { MCP_ENDPOINTS } from '../../src/site/developer/mcp-endpoints.ts';
import { networks } from './networks.ts';

describe.each(networks)('the MCP registry entries of $name', ({ site, json }) => {
  const { namespace } = site.registry.network;
  const renderEntries = (base: string) =>
    serverJson.keys(site).map((key) => serverJson.render(key, { ...site, base }) as ServerJson);
  const ownUrl = `https://${namespace.split('.').reverse().join('.')}`;

  it('match the server cards, one per endpoint', () => {
    for (const { path } of MCP_ENDPOINTS) {
      const { $schema: _, remotes, ...entry } = json(`${path}/server.json`);
      const { $schema: __, remotes: cardRemotes, ...card } = json(`${path}/server-card`);
      expect(entry).toEqual(card);
      expect(
        remotes.map((remote: object) => ({
          ...remote,
          supportedProtocolVersions: cardRemotes[0].supportedProtocolVersions,
        })),
      ).toEqual(cardRemotes);
    }
  });

  it('are valid on the domain in their name and its subdomains', () => {
    for (const base of [ownUrl, ownUrl.replace('https://', 'https://www.')])
      for (const entry of renderEntries(base)) expect(findRegistryFaults(entry)).toEqual([]);
  });

  it.each([
    ['without TLS', ownUrl.replace('https:', 'http:'), /not https/],
    ['on this machine', 'https://localhost', /on this machine/],
    ['on an IPv4 address', 'https://192.0.2.4', /is an IP address, not a domain name/],
    ['on an IPv6 address', 'https://[fd00::4]', /is an IP address, not a domain name/],
    ['on another domain', 'https://elsewhere.test', /is not on/],
    [
      'on a domain with the same ending',
      `https://not${ownUrl.slice('https://'.length)}`,
      /is not on/,
    ],
  ])('are invalid %s', (_, base, message) => {
    for (const entry of renderEntries(base))
      expect(findRegistryFaults(entry)).toEqual([expect.stringMatching(message)]);
  });

  it('are reported as invalid with a version range, a long description, or a name without its namespace', () => {
    const [entry] = renderEntries(ownUrl);
    for (const fault of [
      { version: '^1.0.0' },
      { description: 'x'.repeat(101) },
      { name: 'network' },
      { extra: 1 },
    ])
      expect(serverJsonSchema.safeParse({ ...entry, ...fault }).success).toBe(false);
    expect(serverJsonSchema.safeParse(entry).success).toBe(true);
  });
});
