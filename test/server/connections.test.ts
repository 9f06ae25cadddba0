import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { close, listen, MAX_PIPELINED } from '../../src/server/listen.ts';

const sockets: Socket[] = [];
let server: Server;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await close(server, 0);
});

/** A connection that sends a request and never reads the response. */
async function askWithoutReading(localAddress = '127.0.0.1'): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const host = localAddress.includes(':') ? '::1' : '127.0.0.1';
  const socket = connect({ port, host, localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause().write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  return socket;
}

const countConnections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

it('closes the connection of a client that never reads, and keeps other connections', async () => {
  const largeBody = Buffer.alloc(64 * 1024 * 1024);
  let answeredCount = 0;
  server = await listen(
    (_, response) => {
      answeredCount++;
      response.end(largeBody);
    },
    '127.0.0.1',
    0,
    { idleMs: 4_000, maxConnections: 10, maxConnectionsPerNetwork: 10 },
  );
  await askWithoutReading();
  await expect.poll(() => answeredCount).toBe(1);
  expect(await countConnections()).toBe(1);
  const { port } = server.address() as AddressInfo;
  const readResponse = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { connection: 'close' },
  });
  expect((await readResponse.arrayBuffer()).byteLength).toBe(largeBody.length);
  await expect.poll(countConnections).toBe(0);
});

it('keeps no more connections open than its limit', async () => {
  server = await listen((_, response) => void response.end('x'), '127.0.0.1', 0, {
    idleMs: 60_000,
    maxConnections: 2,
    maxConnectionsPerNetwork: 10,
  });
  await askWithoutReading();
  await askWithoutReading();
  const third = await askWithoutReading();
  third.resume();
  await once(third, 'close');
  expect(await countConnections()).toBe(2);
});

it('keeps no more connections from one network open than the limit', async () => {
  server = await listen((_, response) => void response.end('x'), '::', 0, {
    idleMs: 60_000,
    maxConnections: 10,
    maxConnectionsPerNetwork: 1,
  });
  const first = await askWithoutReading();
  const second = await askWithoutReading();
  second.resume();
  await once(second, 'close');
  expect((await askWithoutReading('127.0.0.2')).destroyed).toBe(false);
  expect((await askWithoutReading('::1')).destroyed).toBe(false);
  await expect.poll(countConnections).toBe(3);
  first.destroy();
  await expect.poll(countConnections).toBe(2);
  const third = await askWithoutReading();
  third.resume();
  await once(third, 'data');
});

it('answers pipelined requests in order, and closes a connection with too many unanswered ones', async () => {
  const targets: string[] = [];
  const open: ServerResponse[] = [];
  server = await listen(
    ({ url = '' }, response) => {
      targets.push(url);
      if (url.startsWith('/open')) open.push(response);
      else response.end(url);
    },
    '127.0.0.1',
    0,
  );
  const { port } = server.address() as AddressInfo;
  const sendAll = (path: string, count: number) => {
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    socket.on('error', () => undefined);
    for (let index = 0; index < count; index++)
      socket.write(`GET ${path}${index} HTTP/1.1\r\nhost: a\r\n\r\n`);
    return socket;
  };

  const patient = sendAll('/read', 20);
  let received = '';
  patient.on('data', (chunk) => (received += String(chunk)));
  await expect.poll(() => received.match(/\/read\d+/g)?.length).toBe(20);
  expect(received.match(/\/read\d+/g)).toEqual(targets);

  await once(sendAll('/open', 1_000).resume(), 'close');
  expect(open.length).toBeLessThanOrEqual(MAX_PIPELINED);
  await expect.poll(countConnections).toBe(1);
});
