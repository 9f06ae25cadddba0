import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Different loopback ports that are free, for programs that cannot choose their own. */
export async function freePorts(count: number): Promise<number[]> {
  // All are open at the same time, so that none is given out twice.
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) {
    server.close();
    await once(server, 'close');
  }
  return ports;
}

/** A free loopback port. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0]!;
