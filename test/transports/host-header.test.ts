import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createHandler } from '../../src/server/handle.ts';
import type { Program } from '../../src/server/program.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];

/** The response to a GET request with these headers, and the log. */
async function request(
  headers: string,
  answer: (response: ServerResponse) => void = () => {},
): Promise<{ answer: string; log: string }> {
  const { context } = await openFixture(site);
  const program = {
    context,
    arena: { get: () => undefined },
    tier: { answer: () => false },
    headers: [],
    answer: (_, response) => {
      answer(response);
      response.end();
    },
    routeOf: () => undefined,
  } as Pick<Program, 'context' | 'headers' | 'answer' | 'routeOf'> as Program;
  const log = new PassThrough();
  const server = createServer(
    createHandler({
      program: () => program,
      log: pino(log),
      isStopping: () => false,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`);
    return { answer: await text(socket), log: String(log.read() ?? '') };
  } finally {
    server.close();
  }
}

it.each([
  [200, 'host: a'],
  [400, 'host: a\r\nHost: a'],
  [400, 'host: a\r\nx: y\r\nHOST: b'],
])('a request gets status %i with %j', async (status, headers) => {
  expect((await request(headers)).answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

it('a request that must be repeated later is logged with the time to wait', async () => {
  const { log } = await request('host: a', (response) => response.setHeader('retry-after', '7'));
  expect(JSON.parse(log)).toMatchObject({ status: 200, retryAfter: '7' });
  expect((await request('host: a')).log).not.toContain('retryAfter');
});
