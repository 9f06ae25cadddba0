import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';

/**
 * Builds an Astro project whose only on-demand endpoint returns a constant. Returns the build
 * folder.
 */
export function buildConstantEndpoint(folder: string): string {
  mkdirSync(join(folder, 'src/pages'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'astro.config.mjs'),
    `import node from '@astrojs/node';\nexport default { output: 'server', adapter: node({ mode: 'middleware' }), session: false, security: { checkOrigin: false } };\n`,
  );
  const body = JSON.stringify({
    receiptToken: 'x'.repeat(21),
    status: 'new',
    history: [{ status: 'new' }],
  });
  writeFileSync(
    join(folder, 'src/pages/constant.ts'),
    `export const GET = () => new Response(${JSON.stringify(body)}, { headers: { 'content-type': 'application/json' } });\n`,
  );
  execFileSync('npx', ['astro', 'build', '--root', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  return join(folder, 'dist');
}

/** Serves that build with node:http. */
export async function serveConstantEndpoint(dist: string, port: number): Promise<Server> {
  const { handler } = (await import(join(resolve(dist), 'server/entry.mjs'))) as {
    handler: (request: unknown, response: unknown) => void;
  };
  return createServer((request, response) => handler(request, response)).listen(port, '127.0.0.1');
}

if (process.argv[2] === 'serve')
  await serveConstantEndpoint(process.argv[3]!, Number(process.argv[4]));
