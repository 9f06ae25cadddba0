import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { generateRegistry } from './setup/generated-registry.ts';
import { measure, processorSeconds, residentMegabytes } from './setup/measure.ts';

// Starting the service over a build that is there: seconds until it answers and resident memory then, beside a bare Node
// process that answers one request. Sizes may be given: `node test/bench/start.ts 1000`.

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [60, 1000, 10_000];
const PORT = 4741;
const ROUNDS = 5;
/** Time after the first answer at which memory is read, in ms. */
const SETTLED_MS = 500;
const folder = resolve('.build/bench-start');
const data = mkdtempSync(join(tmpdir(), 'frontage-bench-'));

interface Started {
  seconds: number;
  processor: number;
  megabytes: number;
}

const median = (all: number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;

/** Runs a command until it says that it answers, and stops it. */
async function start(
  args: string[],
  environment: Record<string, string>,
  answers: RegExp,
): Promise<Started> {
  const started = performance.now();
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  await new Promise<void>((done, fail) => {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (answers.test(said)) done();
      });
    child.on('exit', () => fail(new Error(said)));
  });
  const [seconds, processor] = [
    (performance.now() - started) / 1000,
    processorSeconds(child.pid!) ?? 0,
  ];
  await delay(SETTLED_MS);
  const result = { seconds, processor, megabytes: residentMegabytes(child.pid!) };
  const ended = new Promise((done) => child.on('close', done));
  child.kill('SIGTERM');
  await ended;
  return result;
}

async function figures(
  args: string[],
  environment: Record<string, string>,
  answers: RegExp,
): Promise<{ text: string; seconds: number }> {
  const all: Started[] = [];
  for (let round = 0; round < ROUNDS; round++) all.push(await start(args, environment, answers));
  const seconds = median(all.map((each) => each.seconds));
  return {
    seconds,
    text: `${seconds.toFixed(2)} s, ${median(all.map((each) => each.processor)).toFixed(2)} s of processor, ${median(all.map((each) => each.megabytes)).toFixed(0)} MB`,
  };
}

const bare = `require('node:http').createServer((request, response) => response.end('ok')).listen(${PORT}, '127.0.0.1', () => fetch('http://127.0.0.1:${PORT}/').then(() => console.log('Serving')))`;

try {
  for (const count of SIZES) {
    const registry = join(folder, `registry-${count}`);
    const outDir = join(folder, `out-${count}`);
    generateRegistry(registry, count);
    const environment = {
      REGISTRY_DIR: registry,
      OUT_DIR: outDir,
      PORT: String(PORT),
      HOST: '127.0.0.1',
      DATABASE_URL: `file:${data}/bench-${count}.db`,
      ASTRO_TELEMETRY_DISABLED: '1',
    };
    const built = await measure('npm', ['run', '-s', 'build'], environment);
    if (built.status !== 0) throw new Error(built.output);
    const node = await figures(['-e', bare], {}, /Serving/);
    const ours = await figures(['src/cli/start.ts'], environment, /Serving \d+ documents/);
    process.stdout.write(
      `${count} subsites; load ${loadavg()[0]!.toFixed(1)}\n  start until it answers: ${ours.text} (goals 1 s, 250 MB)\n  bare Node: ${node.text}; ours to bare ${(ours.seconds / node.seconds).toFixed(1)}\n`,
    );
    rmSync(folder, { recursive: true, force: true });
  }
} finally {
  rmSync(data, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
