import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, inject, it } from 'vitest';
import { changeLead } from '../../src/leads/change-lead.ts';
import { capture } from '../deliveries/setup/drain.ts';
import { serveBuild } from './serve-build.ts';

/** A served build with a lead, and the ETag of its status. */
async function serveLead() {
  const running = await serveBuild(inject('fourBuild'));
  const { context } = running;
  const lead = await capture(context, context.site.registry.subsites[0]!.leadSource);
  const path = `/api/lead/${lead}`;
  const { etag } = (await running.ask(path)).headers;
  return { running, lead, path, etag: etag! };
}

it('frees the slot of a client that disconnects', async () => {
  const { running, lead, path, etag } = await serveLead();
  const waitForChange = () =>
    running.ask(`${path}?wait=60`, { headers: { 'if-none-match': etag } });
  const sockets = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const socket = connect(running.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        `GET ${path}?wait=60 HTTP/1.1\r\nhost: localhost\r\nif-none-match: ${etag}\r\n\r\n`,
      );
      return socket;
    }),
  );
  // One more request exceeds the limit and is answered immediately.
  expect((await waitForChange()).status).toBe(304);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => running.log().split('"aborted":true').length - 1).toBe(4);
  const answers = [1, 2, 3, 4].map(waitForChange);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await changeLead({ receiptToken: lead, to: 'acknowledged', actor: 'provider' }, running.context);
  for (const answer of answers) expect((await answer).status).toBe(200);
  await running.stop();
});

it('answers waiting clients when the server stops, and stops promptly', async () => {
  const { running, path, etag } = await serveLead();
  const answer = running.ask(`${path}?wait=60`, { headers: { 'if-none-match': etag } });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await running.stop();
  const { status, headers } = await answer;
  expect([status, headers.etag]).toEqual([304, etag]);
});
