import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildConstantEndpoint } from './setup/constant-endpoint.ts';
import { median } from './setup/median.ts';
import { waitUntilReady } from './setup/wait-until-ready.ts';
import { load } from './setup/wrk.ts';

// Compares leads over HTTP (all rows of a lead, WAL, synchronous FULL) with single-row inserts, and
// reads of a share link and a receipt with an Astro endpoint that returns a constant. Alternates
// between them in one server process. Requires wrk.

const SECONDS = 4;
const ROUNDS = 3;
const CONNECTIONS = 64;
const ports = { ours: 4741, constant: 4742 } as const;
const outDir = '.build/bench-leads';
const folder = mkdtempSync(join(tmpdir(), 'frontage-bench-'));
const origin = `http://127.0.0.1:${ports.ours}`;
const eventLoopFile = join(folder, 'event-loop');
const children: ChildProcess[] = [];

const wrkScript = join(folder, 'lead.lua');
writeFileSync(
  wrkScript,
  `local count = 0
wrk.method = 'POST'
wrk.headers['content-type'] = 'application/json'
request = function()
  count = count + 1
  local key = string.format('%010d-%08d', os.time(), count)
  wrk.headers['idempotency-key'] = key
  return wrk.format(nil, nil, nil, '{"subsite":"hvac","action":"request_hvac_service","fields":{"issue":"no_cool","zip":"33701","notes":"Runs but does not cool."},"contact":{"email":"p' .. key .. '@example.com"}}')
end
`,
);

async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function readLongestBlock(server: ChildProcess): Promise<number> {
  server.kill('SIGUSR2');
  await delay(200);
  return Number.parseFloat(readFileSync(eventLoopFile, 'utf8'));
}

if (spawnSync('wrk', ['--version']).error) {
  process.stderr.write(
    'wrk is not installed. Install it (Debian: apt-get install wrk) and try again.\n',
  );
  process.exit(1);
}
try {
  const environment = {
    ...process.env,
    OUT_DIR: outDir,
    SITE_URL: origin,
    PORT: String(ports.ours),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_READS: '0',
    DATABASE_URL: `file:${folder}/leads.db`,
    ASTRO_TELEMETRY_DISABLED: '1',
  };
  execFileSync('npm', ['run', '-s', 'build'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  });
  const constantBuild = buildConstantEndpoint('.build/bench-constant');
  const server = spawn(
    process.execPath,
    ['--import', `${import.meta.dirname}/setup/event-loop.ts`, 'src/cli/run.js', 'start'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...environment, EVENT_LOOP_FILE: eventLoopFile },
    },
  );
  children.push(
    server,
    spawn(
      process.execPath,
      [
        `${import.meta.dirname}/setup/constant-endpoint.ts`,
        'serve',
        constantBuild,
        String(ports.constant),
      ],
      { stdio: 'inherit' },
    ),
  );
  await waitUntilReady(`${origin}/healthz`);
  await waitUntilReady(`http://127.0.0.1:${ports.constant}/constant`);

  const rates = { leads: [] as number[], bare: [] as number[], p99: [] as number[] };
  await readLongestBlock(server);
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(
      Number(
        execFileSync(
          process.execPath,
          [
            `${import.meta.dirname}/setup/bare-inserts.ts`,
            join(folder, 'bare.db'),
            String(SECONDS),
          ],
          { encoding: 'utf8' },
        ),
      ),
    );
    const { requestsPerSecond: perSecond, p99Milliseconds } = load(`${origin}/api/lead/action`, {
      connections: CONNECTIONS,
      seconds: SECONDS,
      script: wrkScript,
    });
    rates.leads.push(perSecond);
    rates.p99.push(p99Milliseconds);
  }
  const [leads, bare] = [median(rates.leads), median(rates.bare)];
  process.stdout.write(
    `leads over HTTP: ${leads.toFixed(0)}/s, bare single-row inserts ${bare.toFixed(0)}/s; ratio ${(leads / bare).toFixed(2)} (goal 1.0); ` +
      `p99 ${median(rates.p99).toFixed(1)} ms at ${CONNECTIONS} connections, longest block of the event loop ${(await readLongestBlock(server)).toFixed(0)} ms\n`,
  );

  const { token } = await post<{ token: string }>('/api/share', { subsite: 'hvac' });
  const { receiptToken } = await post<{ receiptToken: string }>('/api/email-capture', {
    email: 'dana@example.com',
    source: 'hvac',
  });
  for (const [name, path] of [
    ['share link', `/s/${token}`],
    ['receipt', `/api/lead/${receiptToken}`],
  ] as const) {
    const frontageRates: number[] = [];
    const constantRates: number[] = [];
    const p99: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const run = load(`${origin}${path}`, { connections: CONNECTIONS, seconds: SECONDS });
      frontageRates.push(run.requestsPerSecond);
      p99.push(run.p99Milliseconds);
      constantRates.push(
        load(`http://127.0.0.1:${ports.constant}/constant`, {
          connections: CONNECTIONS,
          seconds: SECONDS,
        }).requestsPerSecond,
      );
    }
    process.stdout.write(
      `${name}: ${median(frontageRates).toFixed(0)}/s, constant Astro endpoint ${median(constantRates).toFixed(0)}/s; ratio ${(median(frontageRates) / median(constantRates)).toFixed(2)} (goal 0.7); p99 ${median(p99).toFixed(1)} ms\n`,
    );
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await delay(500);
  rmSync(folder, { recursive: true, force: true });
}
