import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createHandler } from '../../src/server/handle.ts';
import type { Program } from '../../src/server/program.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];

it.each([
  [200, 'host: a'],
  [400, 'host: a\r\nHost: a'],
  [400, 'host: a\r\nx: y\r\nHOST: b'],
])('a request gets status %i with %j', async (status, headers) => {
  const { context } = await openFixture(site);
  const program = {
    context,
    arena: { get: () => undefined },
    tier: { answer: () => false },
    headers: [],
    answer: (_, response) => void response.end(),
    routeOf: () => undefined,
  } as Pick<Program, 'context' | 'headers' | 'answer' | 'routeOf'> as Program;
  const server = createServer(
    createHandler({
      program: () => program,
      log: pino({ level: 'silent' }),
      isStopping: () => false,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  } finally {
    server.close();
  }
});
