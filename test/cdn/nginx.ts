import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { placements } from '../../src/artifacts/index.ts';
import { includesOf } from '../../src/build/cdn/includes.ts';
import { nginxConfig } from '../../src/build/cdn/nginx.ts';
import { rulesOf } from '../../src/build/cdn/rules.ts';
import { policyFinder } from '../../src/build/policies.ts';
import { servedFiles } from '../../src/build/served-files.ts';
import { writeCompressed } from '../../src/build/write-compressed.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { findProgram } from '../setup/programs.ts';
import { ask } from '../server/serve-build.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** nginx over a build, with the configuration that the build writes; `server` is the port of what answers the rest, if anything does. */
export async function startNginx(outDir: string, server: number | undefined): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-nginx-'));
  const port = await freePort();
  const site = readBuiltSite(outDir);
  writeCompressed(outDir);
  const clientDir = resolve(outDir, 'client');
  const files = servedFiles(clientDir).map(policyFinder(placements(site), site));
  const redirects = site.registry.links.map(({ slug, target }) => [`/go/${slug}`, target] as const);
  const conf = nginxConfig({ base: site.base, clientDir, files, rules: rulesOf(files), redirects, includes: includesOf(files), server: server === undefined ? undefined : `127.0.0.1:${server}`, listen: `127.0.0.1:${port}` });
  for (const name of ['client', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'site.conf'), conf);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/client; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  include ${folder}/site.conf;
}
`,
  );
  const nginx: ChildProcess = spawn(findProgram('nginx')!, ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  nginx.stderr!.on('data', (chunk) => (said += chunk));
  const deadline = Date.now() + 10_000;
  while (!(await ask(port, '/').then(() => true, () => false))) {
    if (nginx.exitCode !== null || Date.now() > deadline) throw new Error(`nginx does not start:\n${said}`);
    await delay(50);
  }
  return {
    port,
    async stop() {
      nginx.kill('SIGTERM');
      if (nginx.exitCode === null) await once(nginx, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}
