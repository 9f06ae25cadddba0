import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadRegistry } from '../../src/registry/index.ts';
import { FIRST_SWEEP_DELAY_MS } from '../../src/server/background-jobs.ts';
import type { LongestDelays } from './setup/longest-delay.ts';
import { measure } from './setup/measure.ts';
import { DUE_SHARE, fillWithLeads } from './setup/million-leads.ts';
import {
  countDueLeads,
  type DueLeadSelection,
  markLeadsDue,
  MIN_PURGE_RATIO,
  MIN_PURGED_PER_SECOND,
  purgeWithPlainSql,
} from './setup/plain-purge.ts';
import { median } from './setup/median.ts';
import { openSqlite, queryValue } from './setup/sqlite.ts';
import { waitUntilReady } from './setup/wait-until-ready.ts';

// Measures the duration of operator tasks on a million leads, in the inbox and with commands
// alongside a running server, and the longest delay of concurrent requests. Prints each figure with
// its limit.

const LEAD_COUNT = Number(
  parseArgs({ options: { leads: { type: 'string', default: '1000000' } } }).values.leads,
);
const PORT = 4743;
const METRICS_PORT = 4744;
const ROUNDS = 5;
const outDir = '.build/bench-operator';
const folder = mkdtempSync(join(tmpdir(), 'frontage-bench-'));
const origin = `http://127.0.0.1:${PORT}`;
const path = join(folder, 'leads.db');
const eventLoopFile = join(folder, 'event-loop');
const children: ChildProcess[] = [];
const environment = {
  OUT_DIR: outDir,
  SITE_URL: origin,
  PORT: String(PORT),
  METRICS_PORT: String(METRICS_PORT),
  LOG_LEVEL: 'warn',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_READS: '0',
  DATABASE_URL: `file:${path}`,
  ASTRO_TELEMETRY_DISABLED: '1',
};

/** Maximum delay of another request during an operator task, in ms. */
const MAX_DELAY_MS = 50;

/** Minimum rate of an export or a backup, in leads per second. */
const MIN_LEADS_PER_SECOND = 30_000;

const printFigure = (
  what: string,
  value: number,
  unit: string,
  bound: string,
  isWithinBound: boolean,
) =>
  process.stdout.write(
    `${isWithinBound ? 'ok  ' : 'OVER'}  ${what}: ${value >= 100 ? value.toFixed(0) : value.toFixed(value < 10 ? 2 : 1)} ${unit} (${bound})\n`,
  );
const checkAtMost = (what: string, value: number, unit: string, bound: number) =>
  printFigure(what, value, unit, `at most ${bound}`, value <= bound);
const checkAtLeast = (what: string, value: number, unit: string, bound: number) =>
  printFigure(what, value, unit, `at least ${bound}`, value >= bound);
let delayProber: ChildProcess;
let server: ChildProcess;

/**
 * Longest delays, longest event-loop block and the CPU time in that block since the last call, in
 * ms.
 */
async function measureDelays(): Promise<LongestDelays & { block: number; cpu: number }> {
  delayProber.send('tell');
  const [longestDelays] = (await once(delayProber, 'message')) as [LongestDelays];
  rmSync(eventLoopFile, { force: true });
  server.kill('SIGUSR2');
  while (!existsSync(eventLoopFile) || !statSync(eventLoopFile).size) await wait(20);
  const [block, cpu] = readFileSync(eventLoopFile, 'utf8').split(' ').map(Number) as [
    number,
    number,
  ];
  return { ...longestDelays, block, cpu };
}

const printDelays = ({
  document,
  status,
  lead,
  block,
}: Awaited<ReturnType<typeof measureDelays>>) =>
  process.stdout.write(
    `          document ${document.toFixed(0)}, status ${status.toFixed(0)}, new lead ${lead.toFixed(0)}; event loop blocked for ${block.toFixed(0)}\n`,
  );

/** Runs a task and prints the longest delay of concurrent requests. */
async function runWithDelays<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  await measureDelays();
  const result = await work();
  const longestDelays = await measureDelays();
  checkAtMost(
    `      delay of other requests, ${what}`,
    Math.max(longestDelays.document, longestDelays.status, longestDelays.lead),
    'ms',
    MAX_DELAY_MS,
  );
  checkAtMost(
    '      longest uninterrupted work of the event loop',
    longestDelays.cpu,
    'ms',
    MAX_DELAY_MS,
  );
  printDelays(longestDelays);
  return result;
}

/** Runs a command from the built bundle, as operators do. */
async function leads(...args: string[]) {
  const run = await measure(process.execPath, ['src/cli/run.js', 'leads', ...args], environment);
  if (run.status !== 0) throw new Error(`leads ${args.join(' ')} failed:\n${run.output}`);
  return run;
}

async function signIn(): Promise<string> {
  const created = execFileSync(
    process.execPath,
    ['src/cli/keys.ts', '--json', 'create', 'Bench', '--scope', 'inbox'],
    { encoding: 'utf8', env: { ...process.env, ...environment } },
  );
  const { key } = JSON.parse(created) as { key: string };
  const answer = await fetch(`${origin}/inbox`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ key }),
  });
  return answer.headers.getSetCookie()[0]!.split(';')[0]!;
}

try {
  const { subsites } = loadRegistry('registry');
  const startedAt = performance.now();
  await fillWithLeads(
    path,
    LEAD_COUNT,
    subsites.map(({ name, leadSource, actions }) => ({
      name,
      leadSource,
      actions: actions.map(({ verb }) => verb),
    })),
  );
  process.stdout.write(
    `${LEAD_COUNT} leads, ${(statSync(path).size / 2 ** 20).toFixed(0)} MiB, written in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`,
  );
  execFileSync('npm', ['run', '-s', 'build'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  });
  server = spawn(
    process.execPath,
    ['--import', `${import.meta.dirname}/setup/event-loop.ts`, 'src/cli/run.js', 'start'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...environment, EVENT_LOOP_FILE: eventLoopFile },
    },
  );
  children.push(server);
  await waitUntilReady(`${origin}/healthz`);
  const token = `L${String(LEAD_COUNT - 1).padStart(20, '0')}`;
  delayProber = fork(`${import.meta.dirname}/setup/longest-delay.ts`, [
    origin,
    token,
    subsites[0]!.leadSource,
  ]);
  children.push(delayProber);

  // Right after it is ready, the server loads its page code and builds its search indexes. These
  // delays have no limit, because no request would be answered sooner if the server did less.
  await measureDelays();
  await wait(FIRST_SWEEP_DELAY_MS / 2);
  process.stdout.write(`the server’s first ${FIRST_SWEEP_DELAY_MS / 2_000} seconds:\n`);
  printDelays(await measureDelays());
  const firstDueCount = countDueLeads(path);
  while (countDueLeads(path) === firstDueCount) await wait(20);
  const dueCount = countDueLeads(path);
  const purgeStartedAt = performance.now();
  await runWithDelays('the server’s hourly purge', async () => {
    while (countDueLeads(path) > 0) await wait(200);
  });
  const purgeMs = performance.now() - purgeStartedAt;
  // Without a task, the delays show the load on the machine.
  await runWithDelays('nothing, for comparison', () => wait(5_000));

  const cookie = await signIn();
  const middleEventId = String(
    queryValue(
      path,
      `select id from outbox where lead = '${`L${String(LEAD_COUNT / 2).padStart(20, '0')}`}'`,
    ),
  );
  const [{ name }] = subsites as [(typeof subsites)[number]];
  const views = [
    '',
    'undelivered=yes',
    'status=new',
    'status=acknowledged&older=a+week',
    `subsite=${name}`,
  ]
    .flatMap((view) => [view, `${view}&olderThan=${middleEventId}`])
    .concat(`undelivered=yes&subsite=${name}&status=new`);
  const timeView = async (view: string) => {
    const time = performance.now();
    const answer = await fetch(`${origin}/inbox?${view}`, { headers: { cookie } });
    const text = await answer.text();
    if (!text.includes('/inbox/')) throw new Error(`The inbox shows no lead: ${view}`);
    return performance.now() - time;
  };
  checkAtMost(
    'first view of the inbox',
    await runWithDelays('first view', () => timeView('')),
    'ms',
    150,
  );
  await runWithDelays('the inbox', async () => {
    for (const view of views) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) times.push(await timeView(view));
      checkAtMost(`inbox ?${view}`, median(times), 'ms', 150);
    }
  });
  await runWithDelays('metrics', async () => {
    for (let round = 0; round < ROUNDS; round++)
      await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  });
  checkAtMost('leads list', (await runWithDelays('list', () => leads('list'))).seconds, 's', 0.6);
  checkAtMost('leads stats', (await runWithDelays('stats', () => leads('stats'))).seconds, 's', 2);

  const exportFile = join(folder, 'leads.csv');
  const exportTo = (format: string, ...options: string[]) =>
    leads('export', '--format', format, '--out', exportFile, '--overwrite', ...options);
  const smallExport = await exportTo('csv', '--newer', '36d');
  for (const format of ['csv', 'jsonl']) {
    const { peakMegabytes: smallPeak } = await exportTo(format, '--newer', '36d');
    const { seconds, peakMegabytes, output } = await runWithDelays(`export as ${format}`, () =>
      exportTo(format),
    );
    const exportedCount = Number(/Exported (\d+)/.exec(output)![1]);
    checkAtLeast(
      `leads export as ${format}`,
      exportedCount / seconds,
      'leads/s',
      MIN_LEADS_PER_SECOND,
    );
    checkAtMost(
      '      memory relative to an export of a tenth of the leads',
      peakMegabytes / smallPeak,
      '',
      1.5,
    );
    rmSync(exportFile);
  }

  const purge = async (due: DueLeadSelection) => {
    markLeadsDue(openSqlite(path), LEAD_COUNT, due);
    const markedCount = countDueLeads(path);
    const what = due === 'scattered' ? 'scattered leads' : 'the oldest leads';
    const run = await runWithDelays(`purge of ${what}`, () => leads('purge'));
    checkAtMost(
      '      memory relative to a small export',
      run.peakMegabytes / smallExport.peakMegabytes,
      '',
      1.5,
    );
    process.stdout.write(
      `          leads purge of ${what} (${markedCount}): ${(markedCount / run.seconds).toFixed(0)} leads/s, ${((run.cpuSeconds * 1e6) / markedCount).toFixed(0)} µs of CPU time each\n`,
    );
    return markedCount / run.seconds;
  };
  const purgedPerSecond = await purge({ fromShare: DUE_SHARE, toShare: 2 * DUE_SHARE });
  await purge('scattered');
  markLeadsDue(openSqlite(path), LEAD_COUNT, { fromShare: 2 * DUE_SHARE, toShare: 3 * DUE_SHARE });
  const plainCount = countDueLeads(path);
  const plainPerSecond = plainCount / purgeWithPlainSql(openSqlite(path));
  process.stdout.write(
    `          plain SQL changes ${plainCount} of the oldest leads at ${plainPerSecond.toFixed(0)} leads/s\n`,
  );
  for (const [what, perSecond] of [
    // With few leads, the server purges them before the first count.
    ...(dueCount ? [['hourly purge', (dueCount * 1000) / purgeMs] as const] : []),
    ['leads purge', purgedPerSecond],
  ] as const) {
    checkAtLeast(`${what} of the oldest leads`, perSecond, 'leads/s', MIN_PURGED_PER_SECOND);
    checkAtLeast('      relative to plain SQL', perSecond / plainPerSecond, '', MIN_PURGE_RATIO);
  }
  const backup = await runWithDelays('backup', () => leads('backup', join(folder, 'backup.db')));
  checkAtLeast('leads backup', LEAD_COUNT / backup.seconds, 'leads/s', MIN_LEADS_PER_SECOND);
  checkAtMost(
    '      memory relative to a small export',
    backup.peakMegabytes / smallExport.peakMegabytes,
    '',
    1.5,
  );
} finally {
  for (const child of children) child.kill('SIGTERM');
  await wait(1_000);
  rmSync(folder, { recursive: true, force: true });
}
