import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { listDocuments } from '../../src/artifacts/index.ts';
import { makeIntent, checkChannels } from '../../src/cli/channel-check/index.ts';
import { findSubsite } from '../../src/site/registry.ts';
import { runProgram } from '../mcp/setup/programs.ts';
import { sites } from '../operations/setup/fixture.ts';
import { runCommand } from '../setup/command.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const published = new Map(listDocuments(site).map(({ path, body }) => [path, body]));

/** Number of requests that would submit a lead. */
let submissionCount = 0;
/** Status with which every submission is rejected, if set. */
let refusal: { status: number; body: unknown } | undefined;

/** Number of submissions to reject with a Retry-After of two seconds. */
let throttledCount = 0;

/** A network that ignores idempotency keys: every request creates a lead. */
const serverWithoutKeys = createServer((request, response) => {
  const path = request.url!;
  request.resume().on('end', () => {
    const token = Math.random().toString(36).slice(2).padEnd(21, 'x');
    const document = published.get(path);
    if (request.method === 'GET')
      return response
        .writeHead(document || path.startsWith('/api/lead/') ? 200 : 404)
        .end(document ?? '{}');
    submissionCount++;
    if (throttledCount-- > 0) return response.writeHead(429, { 'retry-after': '2' }).end('{}');
    if (refusal) return response.writeHead(refusal.status).end(JSON.stringify(refusal.body));
    if (request.headers['content-type']!.includes('form'))
      return response.writeHead(303, { location: `/receipt/${token}` }).end();
    return response.end(JSON.stringify({ result: { receiptToken: token } }));
  });
});
await new Promise<void>((resolve) => serverWithoutKeys.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(serverWithoutKeys.address() as AddressInfo).port}`;
afterAll(() => void serverWithoutKeys.close());

/** Runs `npm run channels -- …` in this process. */
const channels = (...args: string[]) => runCommand('channels', args);

describe('the channel check', () => {
  it('finds every extra lead that a network creates', async () => {
    const report = await checkChannels(origin, await makeIntent(origin), { times: 2 });
    expect(report.one).toBe(false);
    expect(report.receipts.length).toBe(4 * 3);
  });

  it('reports only once that it is waiting for a server that limits requests', async () => {
    // One more than the interrupted connections, which receive no response.
    throttledCount = 5;
    const { stderr } = await channels(origin, '--times', '1');
    expect(stderr.match(/Waiting 2 s because of the server’s rate limit/g)).toHaveLength(1);
  });

  it('waits as long as a limited tool result asks for', async () => {
    const problem = JSON.stringify({ code: 'rate_limited', retryAfterSeconds: 2 });
    refusal = {
      status: 200,
      body: { result: { isError: true, content: [{ type: 'text', text: problem }] } },
    };
    const { stdout, stderr } = await channels(origin, '--times', '1').finally(
      () => (refusal = undefined),
    );
    expect(stderr).toContain('Waiting 2 s because of the server’s rate limit');
    expect(stdout).toMatch(/^mcp +1 +0 +10 +200 rate_limited × 2$/m);
  }, 60_000);

  it('exits with 1 and prints a table if there are extra leads', async () => {
    // In a separate process, as operators run it.
    const { code, stdout } = await runProgram('src/cli/channels.ts', [origin, '--times', '1']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^channel +cut +receipts +later +refused\n(?:(?:json|form|mcp|a2a) +1 +2 +0 +0\n){4}8 different receipts, 8 readable\.\n$/m,
    );
  });

  it.each([
    ['a problem', { status: 400, body: { code: 'invalid_input' } }, '400 invalid_input'],
    [
      'a tool result',
      {
        status: 200,
        body: {
          jsonrpc: '2.0',
          id: 1,
          result: {
            isError: true,
            content: [{ type: 'text', text: '{"code":"insufficient_scope"}' }],
          },
        },
      },
      '200 insufficient_scope',
    ],
    [
      'a JSON-RPC error without a problem',
      { status: 200, body: { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'No.' } } },
      '200',
    ],
  ])('prints the reason for a refusal by %s', async (_, refused, reason) => {
    refusal = refused;
    const { code, stdout } = await channels(origin, '--times', '1').finally(
      () => (refusal = undefined),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`^(?:(?:json|form|mcp|a2a) +1 +0 +0 +${reason} × 2\n){4}`, 'm'),
    );
  });

  it('skips the task channel for an action without a capability, and reports the skip', async () => {
    const capabilities = new Set(
      (
        JSON.parse(published.get('/api/v1/capabilities')!) as { capabilities: { id: string }[] }
      ).capabilities.map(({ id }) => id),
    );
    const ids = site.registry.subsites.flatMap(({ name, actions }) =>
      actions.map(({ verb }) => `${name}.${verb}`),
    );
    for (const [actionId, hasTask] of [
      [ids.find((id) => !capabilities.has(id))!, false],
      [ids.find((id) => capabilities.has(id))!, true],
    ] as const) {
      const { channels: reports, leftOut } = await checkChannels(
        origin,
        await makeIntent(origin, actionId),
        {
          times: 1,
          key: 'fk_x',
        },
      );
      expect([reports.some(({ channel }) => channel === 'task'), leftOut]).toEqual([
        hasTask,
        hasTask ? [] : [`The task channel was skipped: ${actionId} is not a capability.`],
      ]);
    }
    const { stdout } = await channels(
      origin,
      '--times',
      '1',
      '--key',
      'fk_x',
      '--action',
      ids.find((id) => !capabilities.has(id))!,
    );
    expect(stdout).toContain('The task channel was skipped');
  });

  it.each([
    [
      'a missing database',
      { DATABASE_URL: `file:${join(tmpdir(), 'channels-nothing', 'mistyped.db')}` },
      /^Database: \/\S+mistyped\.db\nThere is no database at DATABASE_URL; set it /,
    ],
    ['a bad setting', { DATABASE_URL: 'nonsense' }, /DATABASE_URL: expected/],
  ])('refuses to count in %s before it creates any lead', async (_, environment, sentence) => {
    const countBefore = submissionCount;
    vi.stubEnv('DATABASE_URL', environment.DATABASE_URL);
    const { code, stderr } = await channels(origin, '--times', '1', '--count').finally(
      () => void vi.unstubAllEnvs(),
    );
    expect([
      code,
      submissionCount - countBefore,
      existsSync(join(tmpdir(), 'channels-nothing')),
    ]).toEqual([1, 0, false]);
    expect(stderr).toMatch(sentence);
  });

  it('skips the conversation unless there is exactly one lead, and reports the skip', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'channels-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const url = `file:${join(folder, 'empty.db')}`;
    await (await openDatabase({ url, usesThread: false })).close();
    vi.stubEnv('DATABASE_URL', url);
    const { code, stdout } = await channels(
      origin,
      ...['--times', '1', '--conversation', '--quiet'],
    ).finally(() => void vi.unstubAllEnvs());
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      'The conversation was skipped, because there is not exactly one lead.',
    ]);
  });

  it('chooses a capability whose action needs no dates, with the published examples', async () => {
    const { subsite, action, fields } = await makeIntent(origin);
    const actionRecord = findSubsite(site.registry, subsite)!.actions.find(
      ({ verb }) => verb === action,
    )!;
    expect(
      (
        JSON.parse(published.get('/api/v1/capabilities')!) as { capabilities: { id: string }[] }
      ).capabilities.map(({ id }) => id),
    ).toContain(`${subsite}.${action}`);
    for (const [name, field] of Object.entries(actionRecord.fields)) {
      expect(field.type).not.toBe('date');
      if (field.required) expect(fields).toHaveProperty(name);
    }
  });

  it.each([
    ['a malformed address', ['nonsense'], /Use an absolute http: or https: address/],
    ['another machine', ['https://example.com'], /--allow-remote/],
    ['zero attempts', [origin, '--times', '0'], /--times .* Use a whole number from 1/],
    ['an unknown action', [origin, '--action', 'no.such'], /no such action/],
    ['no address', [], /missing required argument/],
  ])('rejects %s with exit code 2 and an explanation', async (_, args, sentence) => {
    const { code, stderr } = await channels(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
  });

  it('exits with 1 if the server does not respond', async () => {
    const { code, stderr } = await channels('http://127.0.0.1:9');
    expect(code).toBe(1);
    expect(stderr).toMatch(/does not respond/);
  });

  it('explains its usage in --help', async () => {
    const { code, stdout } = await channels('--help');
    expect(code).toBe(0);
    expect(stdout).toContain('npm run channels -- http://localhost:4321');
    expect(stdout).toContain('Without --count');
  });
});
