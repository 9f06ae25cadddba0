import { inject } from 'vitest';
import { readBuiltSite } from '../../../src/server/built-site.ts';
import { serveBuild } from '../../server/serve-build.ts';

/** Networks whose builds can be served. */
export const networks = ['mainBuild', 'fourBuild'] as const;

/** Endpoints that need no key. */
export const paths = ['/api/mcp', '/api/v1/mcp'] as const;

export type McpPath = (typeof paths)[number];

/** Serves a built network on a free port. */
export async function serveNetwork(network: (typeof networks)[number]) {
  const outDir = inject(network);
  const service = await serveBuild(outDir);
  return {
    site: readBuiltSite(outDir),
    origin: `http://127.0.0.1:${service.port}`,
    context: service.context,
    stop: () => service.stop(),
  };
}
