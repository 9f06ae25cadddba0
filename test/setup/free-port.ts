import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Distinct free loopback ports, for programs that cannot choose their own port. */
export async function findFreePorts(count: number): Promise<number[]> {
  // All ports are open at the same time, so that none is returned twice.
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
export const findFreePort = async (): Promise<number> => (await findFreePorts(1))[0]!;
