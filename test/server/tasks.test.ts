import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  type HttpProvider,
  SECRET,
  startHttpProvider,
  VIDEO_RESULT,
} from '../providers/http-provider.ts';
import { site } from '../capabilities/fixture.ts';
import { type LibsqlServer, createLibsqlServer } from '../db/setup/libsql-server.ts';
import { findProgram } from '../setup/programs.ts';
import { createBuildSettings, type StartedServer, startServer } from '../setup/started-server.ts';

const video = site.registry.capabilities.find(({ adapter }) => adapter === 'video')!;
const helpId = `${site.registry.subsites.find(({ capabilities }) => capabilities)!.name}.help`;

interface Task {
  taskId: string;
  status: string;
  charge?: { amount: string };
}

describe.runIf(findProgram('sqld'))('two servers with the same libsql-server', () => {
  let folder: string;
  let provider: HttpProvider;
  let database: LibsqlServer;
  let settings: Record<string, string>;
  let servers: StartedServer[];

  /** Runs `npm run keys` next to the servers, as operators do. */
  const runKeys = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['src/cli/run.js', 'keys', '--json', ...args],
      { env: { ...process.env, ...settings } },
    );
    return JSON.parse(stdout) as Record<string, any>;
  };
  const ask = (origin: string, path: string, key: string, body?: unknown) =>
    fetch(`${origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frontage-tasks-'));
    provider = await startHttpProvider();
    database = await createLibsqlServer(folder);
    await database.start();
    settings = {
      ...createBuildSettings(inject('mainBuild'), 'registry'),
      DATABASE_URL: database.url,
      VIDEO_PROVIDER_URL: provider.url,
      VIDEO_PROVIDER_SECRET: SECRET,
      ALLOW_PRIVATE_TARGETS: '1',
    };
    servers = [startServer(settings), startServer(settings)];
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end('SIGTERM')));
    await provider.close();
    await database.stop('SIGTERM');
    rmSync(folder, { recursive: true });
  });

  it('run each task once, even if a server is killed, and charge the accepted price', async () => {
    const origins = await Promise.all(servers.map((server) => server.origin()));
    const { key, id } = await runKeys('create', 'Two servers', '--scope', video.id);
    await runKeys('credit', id, '50.00');
    const input = { script: 'A script that is long enough to be narrated by a voice.' };
    const quote = (await (
      await ask(origins[0]!, '/api/v1/quotes', key, { capability: video.id, input })
    ).json()) as { quoteId: string; amount: string };
    const startedTasks = await Promise.all(
      [quote.quoteId, undefined, undefined, undefined].map(async (quoteId, index) => {
        const response = await ask(origins[index % 2]!, '/api/v1/tasks', key, {
          capability: video.id,
          input,
          ...(quoteId ? { quoteId } : { maxAmount: '9' }),
        });
        expect([response.status, response.headers.get('retry-after')]).toEqual([202, '5']);
        return (await response.json()) as Task;
      }),
    );
    await expect
      .poll(() => startedTasks.filter(({ taskId }) => provider.jobs.has(taskId)).length, {})
      .toBe(startedTasks.length);
    for (const job of provider.jobs.values()) job.state = { status: 'working' };
    const read = async ({ taskId }: Task) =>
      (await (await ask(origins[1]!, `/api/v1/tasks/${taskId}`, key)).json()) as Task;
    for (const task of startedTasks)
      await expect.poll(async () => (await read(task)).status, { interval: 250 }).toBe('working');
    await servers[0]!.end('SIGKILL');
    for (const job of provider.jobs.values())
      job.state = { status: 'completed', result: VIDEO_RESULT };
    // One task is reported by callback; the others are polled.
    const [first] = startedTasks as [Task];
    const { body, headers } = provider.callback(provider.jobs.get(first.taskId)!);
    for (const _ of [1, 2])
      expect(
        (
          await fetch(`${origins[1]}/api/v1/tasks/${first.taskId}/callback`, {
            method: 'POST',
            headers,
            body,
          })
        ).status,
      ).toBe(204);
    // A lease of the killed server expires after a minute.
    for (const task of startedTasks)
      await expect.poll(async () => (await read(task)).status, { interval: 500 }).toBe('completed');

    // A worker may have died before it stored the job. The resubmission returns the same job.
    expect(new Set([...provider.jobs.values()].map(({ jobId }) => jobId)).size).toBe(
      startedTasks.length,
    );
    const chargedTotal = (await Promise.all(startedTasks.map(read))).reduce(
      (sum, { charge }) => sum + Number(charge!.amount),
      0,
    );
    expect(chargedTotal).toBeCloseTo(startedTasks.length * Number(quote.amount), 2);
    expect((await runKeys('show', id))['credits']).toEqual({
      available: (50 - chargedTotal).toFixed(2),
      reserved: '0.00',
    });
  });

  it('refuse a key from the first request after another process revokes it', async () => {
    const origin = await servers[1]!.origin();
    const { key, id } = await runKeys('create', 'Soon revoked', '--scope', helpId);
    const run = () => ask(origin, '/api/v1/tasks', key, { capability: helpId, input: {} });
    expect((await run()).status).toBe(200);
    await runKeys('revoke', id);
    const refused = await run();
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ]);
  });
});
