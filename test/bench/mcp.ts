import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from './setup/median.ts';
import { waitUntilReady } from './setup/wait-until-ready.ts';

// Compares the MCP throughput of this server with a plain server that uses the official SDK on
// node:http with the same tools. Requires wrk (Debian package).

const SECONDS = 3;
const ROUNDS = 3;
const CONNECTIONS = 16;
const outDir = resolve(process.env['BENCH_BUILD'] ?? '.build/bench-mcp');
const folder = mkdtempSync(join(tmpdir(), 'frontage-bench-'));
const urls = { ours: 'http://127.0.0.1:4741/api/mcp', plain: 'http://127.0.0.1:4742/' } as const;
type ServerName = keyof typeof urls;

const PROTOCOL_VERSION = '2026-07-28';
const metaMember = `"_meta":{"io.modelcontextprotocol/protocolVersion":"${PROTOCOL_VERSION}","io.modelcontextprotocol/clientCapabilities":{},"n":N}`;
/**
 * Request bodies. In cases with `fresh`, N is replaced by a number that is unique to each request.
 */
const cases = [
  { name: 'tools/list', goal: 3, method: 'tools/list', params: '{}', fresh: false },
  {
    name: 'tools/call list_subsites',
    goal: 1.3,
    method: 'tools/call',
    params: '{"name":"list_subsites","arguments":{}}',
    fresh: false,
  },
  {
    name: 'tools/call list_subsites, every request unique',
    method: 'tools/call',
    params: '{"name":"list_subsites","arguments":{},"_meta":{"n":N}}',
    fresh: true,
  },
  {
    name: `tools/list at ${PROTOCOL_VERSION}`,
    goal: 3,
    method: 'tools/list',
    params: `{${metaMember}}`,
    fresh: false,
    modern: true,
  },
  {
    name: `tools/call list_subsites at ${PROTOCOL_VERSION}`,
    goal: 1.3,
    method: 'tools/call',
    params: `{"name":"list_subsites","arguments":{},${metaMember}}`,
    fresh: false,
    modern: true,
  },
  {
    name: `tools/call list_subsites at ${PROTOCOL_VERSION}, every request unique`,
    method: 'tools/call',
    params: `{"name":"list_subsites","arguments":{},${metaMember}}`,
    fresh: true,
    modern: true,
  },
] as const satisfies readonly {
  name: string;
  goal?: number;
  method: string;
  params: string;
  fresh: boolean;
  modern?: boolean;
}[];

type Case = (typeof cases)[number];

/** A wrk script that posts the message of a case. */
function createScript(benchmark: Case): string {
  const body = `{"jsonrpc":"2.0","id":1,"method":"${benchmark.method}","params":${benchmark.params}}`;
  const protocolHeaders =
    'modern' in benchmark
      ? `wrk.headers["mcp-protocol-version"] = "${PROTOCOL_VERSION}"\nwrk.headers["mcp-method"] = "${benchmark.method}"\n${benchmark.method === 'tools/call' ? 'wrk.headers["mcp-name"] = "list_subsites"\n' : ''}`
      : '';
  const [bodyStart, bodyEnd] = body.split('N}') as [string, string | undefined];
  const randomizedRequest = `local n = math.random(1000000000)\nrequest = function()\n  n = n + 1\n  return wrk.format(nil, nil, nil, [[${bodyStart}]] .. n .. [[}${bodyEnd ?? ''}]])\nend\n`;
  return `math.randomseed(os.time())\nwrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\nwrk.headers["accept"] = "application/json, text/event-stream"\n${protocolHeaders}wrk.body = [[${body.replace('N}', '1}')}]]\n${benchmark.fresh ? randomizedRequest : ''}`;
}

if (spawnSync('sh', ['-c', 'command -v wrk']).status !== 0) {
  process.stderr.write(
    'wrk is not installed. Install it (Debian: apt-get install wrk) and try again.\n',
  );
  process.exit(1);
}

const environment = {
  ...process.env,
  OUT_DIR: outDir,
  SITE_URL: 'http://localhost:4741',
  HOST: '127.0.0.1',
  PORT: '4741',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  DATABASE_URL: `file:${folder}/bench.db`,
  ASTRO_TELEMETRY_DISABLED: '1',
};

const listToolsRequest = {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  },
  body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
};

/** Requests per second in a short run. */
function measure(name: ServerName, file: string, seconds: number): number {
  const text = execFileSync(
    'wrk',
    ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', file, urls[name]],
    { encoding: 'utf8' },
  );
  if (/Non-2xx/.test(text)) throw new Error(`${name} returned errors:\n${text}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)![1]);
}

const children: ChildProcess[] = [];
try {
  children.push(
    spawn(process.execPath, ['src/cli/run.js', 'start'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: environment,
    }),
  );
  await waitUntilReady(urls.ours, listToolsRequest);
  children.push(
    spawn(
      process.execPath,
      [`${import.meta.dirname}/setup/plain-mcp-server.ts`, join(outDir, 'current'), '4742'],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    ),
  );
  await waitUntilReady(urls.plain, listToolsRequest);
  for (const benchmark of cases) {
    const file = join(folder, 'case.lua');
    writeFileSync(file, createScript(benchmark));
    for (const name of ['ours', 'plain'] as const) measure(name, file, 2);
    const rates: Record<ServerName, number[]> = { ours: [], plain: [] };
    for (let round = 0; round < ROUNDS; round++)
      for (const name of ['ours', 'plain'] as const) rates[name].push(measure(name, file, SECONDS));
    const [ours, plain] = [median(rates.ours), median(rates.plain)];
    process.stdout.write(
      `${benchmark.name}: ours ${Math.round(ours)}/s, plain ${Math.round(plain)}/s, ratio ${(ours / plain).toFixed(2)}${'goal' in benchmark ? ` (goal ${benchmark.goal})` : ''}\n`,
    );
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await delay(500);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
