import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';

/** Serves a fetch handler on a free local port. */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
): Promise<{ origin: string; stop(): Promise<void> }> {
  const server: Server = createServer(toNodeHandler({ fetch }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
