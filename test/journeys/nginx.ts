import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { ask } from '../server/serve-build.ts';
import { findFreePort } from '../setup/free-port.ts';
import { findProgram } from '../setup/programs.ts';

/** The documented configuration with the test’s addresses and without TLS. */
function configuration(folder: string, port: number, upstream: number): string {
  const [, text] = /```nginx\n([\s\S]*?)```/.exec(readFileSync('.github/OPERATING.md', 'utf8'))!;
  const replacements: readonly (readonly [string | RegExp, string])[] = [
    ['/var/cache/nginx/frontage', `${folder}/cache`],
    ['127.0.0.1:4321', `127.0.0.1:${upstream}`],
    ['/var/log/nginx/error.log', 'stderr'],
    ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
    [/^ *ssl_certificate.*\n/gm, ''],
  ];
  return replacements.reduce((text, [from, to]) => {
    expect(text).toMatch(from);
    return text.replace(from, to);
  }, text!);
}

/** A running nginx; `stop` returns the text of its logs. */
interface StartedNginx {
  port: number;
  stop(): Promise<string>;
}

/** Starts nginx with the documented configuration in front of a port. */
export async function startNginx(upstream: number): Promise<StartedNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-nginx-'));
  const port = await findFreePort();
  for (const name of ['client', 'proxy', 'fastcgi', 'uwsgi', 'scgi', 'cache'])
    mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'site.conf'), configuration(folder, port, upstream));
  const tempPathDirectives = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name.split('_')[0]};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;
events { worker_connections 256; }
http {
  access_log ${folder}/access.log;
  ${tempPathDirectives.join(' ')}
  include ${folder}/site.conf;
}
`,
  );
  const nginx = spawn(
    findProgram('nginx')!,
    ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  nginx.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitFor(
    async () => {
      if (nginx.exitCode === null) await ask(port, '/healthz');
    },
    { timeout: 250_000 },
  );
  if (nginx.exitCode !== null) throw new Error(`nginx did not start:\n${output}`);
  return {
    port,
    async stop() {
      nginx.kill('SIGTERM');
      if (nginx.exitCode === null) await once(nginx, 'exit');
      const accessLog = readFileSync(join(folder, 'access.log'), 'utf8');
      rmSync(folder, { recursive: true });
      return `${accessLog}${output}`;
    },
  };
}
