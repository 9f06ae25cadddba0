import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import manifest from '../../package.json' with { type: 'json' };
import { FIRST_SWEEP_DELAY_MS } from '../../src/server/background-jobs.ts';
import { generateRegistry } from './setup/generated-registry.ts';
import {
  measure,
  type Measurement,
  readCpuSeconds,
  readResidentMegabytes,
} from './setup/measure.ts';
import { median } from './setup/median.ts';

// Starts the service on an existing build, from the bundle and from source, and prints its memory
// and the time until it responds, compared with a bare Node process that answers one request. Also
// measures commands run from both. Fails if a server for the network in registry/ exceeds its
// memory goal. Accepts folders and sizes: `node test/bench/start.ts registry 1000`.

const NETWORKS =
  process.argv.length > 2 ? process.argv.slice(2) : ['registry', '60', '1000', '10000'];
/** Goal for the resident memory of a server for the network in registry/, in MB. */
const GOAL_MEGABYTES = 130;
const COMMANDS = [
  ['leads', '--help'],
  ['leads', 'list'],
  ['keys', 'list'],
];
const PORT = 4741;
const ROUNDS = 3;
/**
 * Delay between the first response and the memory measurement, in ms. After it, pages and search
 * indexes are loaded, and the database threads of the first sweep have ended.
 */
const SETTLE_MS = FIRST_SWEEP_DELAY_MS + 25_000;
const folder = resolve('.build/bench-start');
const data = mkdtempSync(join(tmpdir(), 'frontage-bench-'));

interface StartMeasurement {
  seconds: number;
  cpuSeconds: number;
  megabytes: number;
}

/** Runs a command until it responds, then stops it. */
async function start(
  [command = '', ...args]: readonly string[],
  environment: Record<string, string>,
  ready: RegExp,
): Promise<StartMeasurement> {
  const startedAt = performance.now();
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  const child: ChildProcess = spawn(command, args, {
    env: { ...process.env, ...environment, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, fail) => {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (ready.test(output)) resolve();
      });
    child.on('exit', () => fail(new Error(output)));
  });
  const [seconds, cpuSeconds] = [
    (performance.now() - startedAt) / 1000,
    readCpuSeconds(child.pid!) ?? 0,
  ];
  await delay(SETTLE_MS);
  const result = { seconds, cpuSeconds, megabytes: readResidentMegabytes(child.pid!) };
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.kill('SIGTERM');
  await ended;
  return result;
}

/** Median of several runs of a command. */
async function measureCommand(
  args: string[],
  environment: Record<string, string>,
): Promise<Measurement> {
  const runs: Measurement[] = [];
  for (let round = 0; round < ROUNDS; round++)
    runs.push(await measure(process.execPath, args, environment));
  const failed = runs.find(({ status }) => status !== 0);
  if (failed) throw new Error(failed.output);
  return runs.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(ROUNDS / 2)]!;
}

const describeMeasurement = ({
  seconds,
  cpuSeconds: processorSeconds,
  peakMegabytes,
}: Measurement): string =>
  `${seconds.toFixed(2)} s, ${processorSeconds.toFixed(2)} s of CPU time, ${peakMegabytes.toFixed(0)} MB`;

async function measureStarts(
  args: string[],
  environment: Record<string, string>,
  ready: RegExp,
): Promise<{ text: string; seconds: number; megabytes: number }> {
  const starts: StartMeasurement[] = [];
  for (let round = 0; round < ROUNDS; round++) starts.push(await start(args, environment, ready));
  const seconds = median(starts.map((each) => each.seconds));
  const megabytes = median(starts.map((each) => each.megabytes));
  return {
    seconds,
    megabytes,
    text: `${seconds.toFixed(2)} s, ${median(starts.map((each) => each.cpuSeconds)).toFixed(2)} s of CPU time, ${megabytes.toFixed(0)} MB`,
  };
}

const bare = `require('node:http').createServer((request, response) => response.end('ok')).listen(${PORT}, '127.0.0.1', () => fetch('http://127.0.0.1:${PORT}/').then(() => console.log('Serving')))`;

try {
  for (const network of NETWORKS) {
    const isGenerated = /^\d+$/.test(network);
    const registry = isGenerated ? join(folder, `registry-${network}`) : resolve(network);
    const outDir = join(folder, 'out');
    if (isGenerated) generateRegistry(registry, Number(network));
    const environment = {
      REGISTRY_DIR: registry,
      OUT_DIR: outDir,
      PORT: String(PORT),
      HOST: '127.0.0.1',
      DATABASE_URL: `file:${data}/bench-${NETWORKS.indexOf(network)}.db`,
      ASTRO_TELEMETRY_DISABLED: '1',
    };
    const buildRun = await measure('npm', ['run', '-s', 'build'], environment);
    if (buildRun.status !== 0) throw new Error(buildRun.output);
    const node = await measureStarts([process.execPath, '-e', bare], {}, /Serving/);
    const servingPattern = /Serving \d+ documents/;
    const bundleStart = await measureStarts(
      ['sh', '-c', manifest.scripts.start],
      environment,
      servingPattern,
    );
    const source = await measureStarts(
      [process.execPath, 'src/cli/start.ts'],
      environment,
      servingPattern,
    );
    process.stdout.write(
      `${isGenerated ? `${network} subsites` : network}; load ${loadavg()[0]!.toFixed(1)}\n  from start to first response, from the bundle: ${bundleStart.text} (goals 0.5 s, ${GOAL_MEGABYTES} MB)\n  from the sources: ${source.text}; sources to bundle ${(source.seconds / bundleStart.seconds).toFixed(1)}\n  bare Node: ${node.text}\n`,
    );
    if (network === 'registry' && bundleStart.megabytes > GOAL_MEGABYTES) process.exitCode = 1;
    for (const [command = '', ...args] of COMMANDS) {
      const bundleRun = await measureCommand(['src/cli/run.js', command, ...args], environment);
      const sourceRun = await measureCommand([`src/cli/${command}.ts`, ...args], environment);
      process.stdout.write(
        `  ${[command, ...args].join(' ')}: ${describeMeasurement(bundleRun)} from the bundle (goal 0.35 s), ${describeMeasurement(sourceRun)} from the sources\n`,
      );
    }
    rmSync(folder, { recursive: true, force: true });
  }
} finally {
  rmSync(data, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
