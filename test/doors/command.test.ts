import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { documents } from '../../src/artifacts/index.ts';
import { makeIntent, tryDoors } from '../../src/doors/index.ts';
import { findSubsite } from '../../src/registry/index.ts';
import { run } from '../mcp/setup/programs.ts';
import { sites } from '../operations/setup/world.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const published = new Map(documents(site).map(({ path, body }) => [path, body]));

/** A network that forgets keys: each request that arrives is a lead of its own. */
const forgetful = createServer((request, response) => {
  const path = request.url!;
  request.resume().on('end', () => {
    const token = Math.random().toString(36).slice(2).padEnd(21, 'x');
    const document = published.get(path);
    if (request.method === 'GET') return response.writeHead(document || path.startsWith('/api/lead/') ? 200 : 404).end(document ?? '{}');
    if (request.headers['content-type']!.includes('form')) return response.writeHead(303, { location: `/receipt/${token}` }).end();
    return response.end(JSON.stringify({ result: { receiptToken: token } }));
  });
});
await new Promise<void>((resolve) => forgetful.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(forgetful.address() as AddressInfo).port}`;
afterAll(() => void forgetful.close());

const doors = (...args: string[]) => run('src/cli/doors.ts', args);

describe('the check of the doors', () => {
  it('finds every lead that a network makes too many', async () => {
    const report = await tryDoors(origin, await makeIntent(origin), { times: 2 });
    expect(report.one).toBe(false);
    expect(report.receipts.length).toBe(4 * 3);
  });

  it('exits with 1 then, and prints a table', async () => {
    const { code, stdout } = await doors(origin, '--times', '1');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^door +cut +receipts +later +refused\n(?:(?:json|form|mcp|a2a) +1 +2 +0 +0\n){4}8 different receipts, 8 readable\.\n$/m);
  });

  it('chooses a capability whose action needs no dates, with the published examples', async () => {
    const { subsite, action, fields } = await makeIntent(origin);
    const known = findSubsite(site.registry, subsite)!.actions.find(({ verb }) => verb === action)!;
    expect((JSON.parse(published.get('/api/v1/capabilities')!) as { capabilities: { id: string }[] }).capabilities.map(({ id }) => id)).toContain(`${subsite}.${action}`);
    for (const [name, field] of Object.entries(known.fields)) {
      expect(field.type).not.toBe('date');
      if (field.required) expect(fields).toHaveProperty(name);
    }
  });

  it.each([
    ['an address that is none', ['nonsense'], /must be an absolute/],
    ['another machine', ['https://example.com'], /--allow-remote/],
    ['no times', [origin, '--times', '0'], /--times must be/],
    ['an unknown action', [origin, '--action', 'no.such'], /no such action/],
    ['nobody there', ['http://127.0.0.1:9'], /does not answer/],
    ['no address', [], /missing required argument/],
  ])('refuses %s with exit code 2 and says what would be right', async (_, args, sentence) => {
    const { code, stderr } = await doors(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
  });

  it('says in its help how it is used', async () => {
    const { code, stdout } = await doors('--help');
    expect(code).toBe(0);
    expect(stdout).toContain('npm run doors -- http://localhost:4321');
  });
});
