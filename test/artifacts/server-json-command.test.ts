import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { discardSite } from '../../src/build-site.ts';
import { MCP_ENDPOINTS } from '../../src/site/developer/mcp-endpoints.ts';
import { runCommand } from '../setup/command.ts';
import { networks } from './networks.ts';

const REGISTRY = 'test/fixtures/network-of-four';
const { namespace } = networks.find(({ site }) => site.registry.subsites.length === 4)!.site
  .registry.network;
const NETWORK_URL = `https://${namespace.split('.').reverse().join('.')}`;

const folder = mkdtempSync(join(tmpdir(), 'server-json-'));
afterAll(() => {
  discardSite();
  rmSync(folder, { recursive: true });
});

const command = (settings: Record<string, string>, ...args: string[]) => {
  discardSite();
  return runCommand('server-json', args, {
    REGISTRY_DIR: REGISTRY,
    SITE_URL: NETWORK_URL,
    ...settings,
  });
};

describe('npm run server-json', () => {
  it('reports no error for entries on the network’s own domain, and writes them', async () => {
    const { code, stdout, stderr } = await command({}, '--write', join(folder, 'entries'));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      MCP_ENDPOINTS.map(
        ({ path, slug }) =>
          `${path}/server.json: ${namespace}/${slug} ${JSON.parse(readFileSync(join(folder, 'entries', slug, 'server.json'), 'utf8')).version} is valid.\n`,
      ).join(''),
    );
  });

  it.each([
    ['an IP address', { SITE_URL: 'https://10.0.0.4' }, /is an IP address/],
    ['another domain', { SITE_URL: 'https://elsewhere.example' }, /is not on/],
  ] as const)(
    'exits with 1 for %s, and reports it for each entry',
    async (_, settings, sentence) => {
      const { code, stdout } = await command(settings);
      expect(code).toBe(1);
      expect(
        stdout
          .trim()
          .split('\n')
          .filter((line) => sentence.test(line)),
      ).toHaveLength(MCP_ENDPOINTS.length);
    },
  );

  it.each([
    ['a malformed address', { SITE_URL: 'nope' }, [], /^SITE_URL: expected /],
    ['a missing registry', { REGISTRY_DIR: '/nope' }, [], /^REGISTRY_DIR: /],
    [
      'a deployment without endpoints',
      { DYNAMIC: '0' },
      [],
      /^DYNAMIC=0 announces no MCP endpoint/,
    ],
    ['an unknown option', {}, ['--nothing'], /unknown option/],
  ] as const)(
    'exits with 2 for %s, with a one-sentence message',
    async (_, settings, args, sentence) => {
      const { code, stdout, stderr } = await command(settings, ...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(sentence);
      expect(stderr).not.toMatch(/\n\s+at /);
    },
  );
});
