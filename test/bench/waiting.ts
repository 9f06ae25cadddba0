import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { residentMegabytes } from './setup/measure.ts';

// What 2,000 callers who wait for a change of a lead cost in memory, and the time from sending what changes a lead until the
// caller who waits for it has the answer, while the others wait. BENCH_BUILD names a build that is there.

const WAITING = 2_000;
const CHANGES = 200;
const SETTLED_MS = 3_000;
const WARM_ROUNDS = 10;
const AT_ONCE = 20;
const PAUSE_MS = 50;
const PORT = 4743;
const built = process.env['BENCH_BUILD'];
const folder = mkdtempSync(join(tmpdir(), 'frontage-bench-'));
const agent = new Agent({ keepAlive: true });

interface Answer {
  status: number;
  etag: string;
  body: string;
}

/** A request as a proxy passes it on for a client of that number. */
function ask(
  path: string,
  { client = 0, etag, body }: { client?: number; etag?: string; body?: object } = {},
): Promise<Answer> {
  return new Promise((done, fail) => {
    const headers = {
      'x-forwarded-for': `198.51.${client >> 8}.${client & 255}`,
      ...(etag && { 'if-none-match': etag }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const method = body ? 'POST' : 'GET';
    request({ port: PORT, path, method, headers, agent }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        done({ status: response.statusCode!, etag: response.headers.etag ?? '', body: text }),
      );
    })
      .on('error', fail)
      .end(body && JSON.stringify(body));
  });
}

/** A new lead: the path of its status, and the ETag. */
async function file(): Promise<{ path: string; etag: string }> {
  const { body } = await ask('/api/email-capture', {
    body: { email: 'dana@example.com', source: 'hvac' },
  });
  const path = `/api/lead/${(JSON.parse(body) as { receiptToken: string }).receiptToken}`;
  return { path, etag: (await ask(path)).etag };
}

let server: ChildProcess | undefined;
try {
  const environment = {
    ...process.env,
    OUT_DIR: built ? resolve(built) : resolve('.build/bench-waiting'),
    SITE_URL: `http://127.0.0.1:${PORT}`,
    PORT: String(PORT),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_READS: '0',
    TRUST_PROXY: '1',
    DATABASE_URL: `file:${folder}/bench.db`,
    ASTRO_TELEMETRY_DISABLED: '1',
  };
  if (!built)
    execFileSync('npm', ['run', '-s', 'build'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: environment,
    });
  server = spawn(process.execPath, ['src/cli/run.js', 'start'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  });
  await new Promise<void>((done, fail) => {
    server!.stdout!.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes(' at http')) done();
    });
    server!.on('exit', () => fail(new Error('The server does not start.')));
  });
  const leads = [];
  for (let count = 0; count < CHANGES; count++) leads.push(await file());
  const quiet = await file();
  // A server at work has the memory that work takes: requests under way, on as many connections.
  for (let round = 0; round < WARM_ROUNDS; round++)
    await Promise.all(Array.from({ length: WAITING }, (_, client) => ask(quiet.path, { client })));
  await delay(SETTLED_MS);
  const before = residentMegabytes(server.pid!);

  const others: Promise<Answer>[] = [];
  for (let client = 0; client < WAITING - CHANGES; client++) {
    others.push(ask(`${quiet.path}?wait=60`, { client, etag: quiet.etag }));
    // They come one after another, as callers of many places do.
    if (client % AT_ONCE === 0) await delay(PAUSE_MS);
  }
  const waiting = leads.map(async ({ path, etag }, index) => {
    const { status } = await ask(`${path}?wait=60`, { client: WAITING + index, etag });
    return { status, at: performance.now() };
  });
  await delay(SETTLED_MS);
  const cost = residentMegabytes(server.pid!) - before;

  const times: number[] = [];
  for (const [index, { path }] of leads.entries()) {
    const sent = performance.now();
    const written = ask(`${path}/messages`, { body: { text: 'The gate is six feet wide.' } });
    const { status, at } = await waiting[index]!;
    await written;
    if (status !== 200) throw new Error(`A waiting caller was answered with ${status}.`);
    times.push(at - sent);
  }
  const sorted = times.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((part) => sorted[Math.floor(part * sorted.length)]!);
  process.stdout.write(
    `${WAITING} waiting callers cost ${cost.toFixed(0)} MB (goal 60)\n` +
      `${CHANGES} changes while they wait: from sending to the waiting caller's answer p50 ${p50!.toFixed(1)} ms, p99 ${p99!.toFixed(1)} ms (goal 100)\n`,
  );
  const statuses = await Promise.all(others.map((answer) => answer.then(({ status }) => status)));
  if (statuses.some((status) => status !== 304)) throw new Error('A caller did not wait.');
} finally {
  agent.destroy();
  server?.kill('SIGTERM');
  await delay(500);
  rmSync(folder, { recursive: true, force: true });
}
