import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openArena } from '../../src/server/arena.ts';
import { median } from './setup/median.ts';
import { waitUntilReady } from './setup/wait-until-ready.ts';

// Compares the throughput of one process for the agent index: this server, nginx with one worker,
// and @astrojs/node in standalone mode. Requires nginx and wrk (Debian packages)

const PATH = '/api/agent-index';
const RUN_SECONDS = 4;
const ROUNDS = 3;
const CONNECTIONS = 64;
const outDir = resolve('.build/bench-serve');
const release = join(outDir, 'current');
const client = join(release, 'client');
const folder = mkdtempSync(join(tmpdir(), 'frontage-bench-'));
const ports = { ours: 4731, nginx: 4732, standalone: 4733 } as const;
type ServerName = keyof typeof ports;

const environment = {
  ...process.env,
  OUT_DIR: outDir,
  SITE_URL: `http://127.0.0.1:${ports.ours}`,
  HOST: '127.0.0.1',
  LOG_LEVEL: 'info',
  ASTRO_TELEMETRY_DISABLED: '1',
  DATABASE_URL: `file:${folder}/bench.db`,
};

for (const program of ['nginx', 'wrk']) {
  if (spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status !== 0) {
    process.stderr.write(
      `${program} is not installed. Install it (Debian: apt-get install ${program}) and try again.\n`,
    );
    process.exit(1);
  }
}

function startAll(): ChildProcess[] {
  for (const name of ['client', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name));
  // Minimal nginx configuration: one file with a compressed copy, without rewrite rules.
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; open_file_cache max=1000;
  client_body_temp_path ${folder}/client; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  map $http_accept_encoding $variant { default ""; "br" ".br"; }
  map $http_accept_encoding $coding { default ""; "br" "br"; }
  server {
    listen 127.0.0.1:${ports.nginx}; root ${client}; default_type application/json;
    add_header Content-Encoding $coding; add_header Cache-Control "public, max-age=300";
    location / { try_files $uri$variant =404; }
  }
}
`,
  );
  const standaloneScript = `import(${JSON.stringify(join(release, 'server/entry.mjs'))}).then(({ startServer }) => startServer())`;
  return [
    spawn(process.execPath, ['src/cli/run.js', 'start'], {
      stdio: ['ignore', 'ignore', 'ignore'],
      env: { ...environment, PORT: String(ports.ours) },
    }),
    spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    }),
    // The release links to its renderer, and the adapter looks for the files beside the link.
    spawn(
      process.execPath,
      ['--preserve-symlinks', '--input-type=module', '-e', standaloneScript],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...environment, PORT: String(ports.standalone) },
      },
    ),
  ];
}

/** Requests per second in a short run. */
function measure(name: ServerName, coding: string): number {
  const text = execFileSync(
    'wrk',
    [
      '-t1',
      `-c${CONNECTIONS}`,
      `-d${RUN_SECONDS}s`,
      '-H',
      `Accept-Encoding: ${coding}`,
      `http://127.0.0.1:${ports[name]}${PATH}`,
    ],
    { encoding: 'utf8' },
  );
  if (/Non-2xx/.test(text)) throw new Error(`${name} returned errors:\n${text}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)![1]);
}

const children: ChildProcess[] = [];
try {
  execFileSync('npm', ['run', '-s', 'build'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  });
  const entry = openArena(release).get(PATH)!;
  writeFileSync(join(client, `${PATH}.gz`), entry.body('gzip'));
  writeFileSync(join(client, `${PATH}.br`), entry.body('br'));
  children.push(...startAll());
  const names = Object.keys(ports) as ServerName[];
  for (const name of names) await waitUntilReady(`http://127.0.0.1:${ports[name]}${PATH}`);
  for (const coding of ['identity', 'br']) {
    const rates: Record<ServerName, number[]> = { ours: [], nginx: [], standalone: [] };
    for (let round = 0; round < ROUNDS; round++)
      for (const name of names) rates[name].push(measure(name, coding));
    const [ours, nginx, standalone] = names.map((name) => median(rates[name])) as [
      number,
      number,
      number,
    ];
    process.stdout.write(
      `${coding}: ours ${Math.round(ours)}/s, nginx ${Math.round(nginx)}/s, standalone ${Math.round(standalone)}/s; ` +
        `ours to nginx ${(ours / nginx).toFixed(2)} (goal 0.5), ours to standalone ${(ours / standalone).toFixed(1)} (goal 4)\n`,
    );
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await delay(500);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
