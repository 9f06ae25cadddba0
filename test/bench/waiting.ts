import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readResidentMegabytes } from './setup/measure.ts';

// Measures what 2,000 long-polling callers cost in memory, compared with a bare Node server that
// keeps as many requests open, and how long a lead change takes to reach its caller in the
// meantime. BENCH_BUILD names an existing build.

const CALLER_COUNT = 2_000;
const CHANGE_COUNT = 200;
const SETTLE_MS = 3_000;
const WARMUP_ROUNDS = 10;
const CONCURRENCY = 20;
const PAUSE_MS = 50;
const PORT = 4743;
const existingBuild = process.env['BENCH_BUILD'];
const folder = mkdtempSync(join(tmpdir(), 'frontage-bench-'));
const agent = new Agent({ keepAlive: true });

interface Answer {
  status: number;
  etag: string;
  body: string;
}

/** A request as a proxy forwards it for one of many clients. */
function ask(
  path: string,
  { client = 0, etag, body }: { client?: number; etag?: string; body?: object } = {},
): Promise<Answer> {
  return new Promise((resolve, fail) => {
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
        resolve({ status: response.statusCode!, etag: response.headers.etag ?? '', body: text }),
      );
    })
      .on('error', fail)
      .end(body && JSON.stringify(body));
  });
}

/** Creates a lead. Returns its status path and ETag. */
async function createLead(): Promise<{ path: string; etag: string }> {
  const { body } = await ask('/api/email-capture', {
    body: { email: 'dana@example.com', source: 'hvac' },
  });
  const path = `/api/lead/${(JSON.parse(body) as { receiptToken: string }).receiptToken}`;
  return { path, etag: (await ask(path)).etag };
}

/** Memory cost of waiting requests in MB: live heap and resident size. */
interface MemoryUsage {
  heapMb: number;
  residentMb: number;
}

/** Starts a server script and waits until it listens. */
async function startServer(
  script: string,
  args: string[],
  environment: NodeJS.ProcessEnv,
): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--import', './test/bench/setup/live-memory.ts', script, ...args],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env: environment },
  );
  await new Promise<void>((resolve, fail) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes(' at http')) resolve();
    });
    child.on('exit', () => fail(new Error('The server did not start.')));
  });
  return child;
}

async function readMemory(child: ChildProcess): Promise<MemoryUsage> {
  const residentMb = readResidentMegabytes(child.pid!);
  child.send('');
  const [heapMb] = (await once(child, 'message')) as [number];
  return { heapMb, residentMb };
}

/**
 * Measures the cost of waiting requests in a warm server, which has already allocated memory for
 * active requests.
 */
async function measureCost(
  child: ChildProcess,
  path: string,
  wait: () => Promise<void>,
): Promise<MemoryUsage> {
  for (let round = 0; round < WARMUP_ROUNDS; round++)
    await Promise.all(Array.from({ length: CALLER_COUNT }, (_, client) => ask(path, { client })));
  await delay(SETTLE_MS);
  const memoryBefore = await readMemory(child);
  await wait();
  await delay(SETTLE_MS);
  const { heapMb, residentMb } = await readMemory(child);
  return { heapMb: heapMb - memoryBefore.heapMb, residentMb: residentMb - memoryBefore.residentMb };
}

/** Starts waiting callers one after another, each with its own address. */
async function startWaiting(
  count: number,
  path: string,
  etag?: string,
): Promise<Promise<Answer>[]> {
  const answers: Promise<Answer>[] = [];
  for (let client = 0; client < count; client++) {
    answers.push(ask(`${path}?wait=60`, { client, ...(etag && { etag }) }));
    if (client % CONCURRENCY === 0) await delay(PAUSE_MS);
  }
  return answers;
}

let server: ChildProcess | undefined;
try {
  server = await startServer('test/bench/setup/silent-server.ts', [], {
    ...process.env,
    PORT: String(PORT),
  });
  const bare = await measureCost(server, '/', async () => {
    for (const open of await startWaiting(CALLER_COUNT, '/')) open.catch(() => undefined);
  });
  server.kill('SIGTERM');
  await once(server, 'exit');

  const environment = {
    ...process.env,
    OUT_DIR: existingBuild ? resolve(existingBuild) : resolve('.build/bench-waiting'),
    SITE_URL: `http://127.0.0.1:${PORT}`,
    PORT: String(PORT),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_READS: '0',
    TRUST_PROXY: '1',
    DATABASE_URL: `file:${folder}/bench.db`,
    ASTRO_TELEMETRY_DISABLED: '1',
  };
  if (!existingBuild)
    execFileSync('npm', ['run', '-s', 'build'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: environment,
    });
  server = await startServer('src/cli/run.js', ['start'], environment);
  const leads: Awaited<ReturnType<typeof createLead>>[] = [];
  for (let count = 0; count < CHANGE_COUNT; count++) leads.push(await createLead());
  const unchangedLead = await createLead();
  let otherCallers: Promise<Answer>[] = [];
  let waitingAnswers: Promise<{ status: number; at: number }>[] = [];
  const cost = await measureCost(server, unchangedLead.path, async () => {
    otherCallers = await startWaiting(
      CALLER_COUNT - CHANGE_COUNT,
      unchangedLead.path,
      unchangedLead.etag,
    );
    waitingAnswers = leads.map(async ({ path, etag }, index) => {
      const { status } = await ask(`${path}?wait=60`, { client: CALLER_COUNT + index, etag });
      return { status, at: performance.now() };
    });
  });

  const times: number[] = [];
  for (const [index, { path }] of leads.entries()) {
    const sent = performance.now();
    const written = ask(`${path}/messages`, { body: { text: 'The gate is six feet wide.' } });
    const { status, at: receivedAt } = await waitingAnswers[index]!;
    await written;
    if (status !== 200) throw new Error(`A waiting caller got status ${status}.`);
    times.push(receivedAt - sent);
  }
  const sortedTimes = times.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map(
    (share) => sortedTimes[Math.floor(share * sortedTimes.length)]!,
  );
  process.stdout.write(
    `${CALLER_COUNT} waiting callers use ${cost.heapMb.toFixed(0)} MB (goal 60), of which a bare server uses ${bare.heapMb.toFixed(0)} MB; resident memory grew by ${cost.residentMb.toFixed(0)} MB, and in the bare server by ${bare.residentMb.toFixed(0)} MB\n` +
      `${CHANGE_COUNT} changes while they wait: from sending to the waiting caller's response p50 ${p50!.toFixed(1)} ms, p99 ${p99!.toFixed(1)} ms (goal 100)\n`,
  );
  const statuses = await Promise.all(
    otherCallers.map((answer) => answer.then(({ status }) => status)),
  );
  if (statuses.some((status) => status !== 304))
    throw new Error('A caller did not wait until the timeout.');
} finally {
  agent.destroy();
  server?.kill('SIGTERM');
  await delay(500);
  rmSync(folder, { recursive: true, force: true });
}
