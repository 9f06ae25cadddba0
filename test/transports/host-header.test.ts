import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Problem } from '../../src/operation/problem.ts';
import { createHandler } from '../../src/server/handle.ts';
import type { FinishedRequest } from '../../src/server/metrics.ts';
import type { Program } from '../../src/server/program.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];

/** The response to a GET request with these headers, and the log. */
async function sendRequest(
  headers: string,
  answer: (response: ServerResponse) => void = () => {},
  {
    url = '/',
    tier = () => false,
  }: { url?: string; tier?: (response: ServerResponse) => boolean } = {},
): Promise<{ answer: string; log: string; finished: FinishedRequest[] }> {
  const { context } = await openFixture(site);
  const program = {
    context,
    arena: { get: () => undefined },
    tier: { answer: (_, response) => tier(response), respondToUnknownPage: () => new Response() },
    headers: [],
    answer: (_, response) => {
      answer(response);
      response.end();
    },
    routeOf: () => undefined,
  } as Pick<Program, 'context' | 'headers' | 'answer' | 'routeOf' | 'tier'> as Program;
  const log = new PassThrough();
  const finished: FinishedRequest[] = [];
  const server = createServer(
    createHandler({
      program: () => program,
      log: pino(log),
      onResponse: (finishedRequest) => finished.push(finishedRequest),
      isStopping: () => false,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET ${url} HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`);
    return { answer: await text(socket), log: String(log.read() ?? ''), finished };
  } finally {
    server.close();
  }
}

it.each([
  [200, 'host: a'],
  [400, 'host: a\r\nHost: a'],
  [400, 'host: a\r\nx: y\r\nHOST: b'],
])('a request gets status %i with %j', async (status, headers) => {
  expect((await sendRequest(headers)).answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

it.each([
  ['the URL', 404, 'unknown', '/a%2fb', () => false],
  [
    'the document',
    405,
    'document',
    '/llms.txt',
    () => {
      throw new Problem('method_not_allowed', 'This URL accepts GET.');
    },
  ],
])(
  'a request rejected because of %s is logged and counted',
  async (_, status, route, url, tier) => {
    const requestResult = await sendRequest('host: a', () => {}, { url, tier });
    expect(requestResult.answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(requestResult.log)).toMatchObject({ level: 30, status, route });
    expect(requestResult.finished).toEqual([
      expect.objectContaining({ method: 'GET', status, route }),
    ]);
  },
);

it('a document is counted, and logged only at the debug level', async () => {
  const tier = (response: ServerResponse) => Boolean(response.end());
  const { log, finished } = await sendRequest('host: a', () => {}, { url: '/llms.txt', tier });
  expect(log).toBe('');
  expect(finished).toEqual([expect.objectContaining({ status: 200, route: 'document' })]);
});

it('a request that must be repeated later is logged with the time to wait', async () => {
  const { log } = await sendRequest('host: a', (response) =>
    response.setHeader('retry-after', '7'),
  );
  expect(JSON.parse(log)).toMatchObject({ status: 200, retryAfter: '7' });
  expect((await sendRequest('host: a')).log).not.toContain('retryAfter');
});
