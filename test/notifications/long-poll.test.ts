import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { waitListOf } from '../../src/operation/waits.ts';
import { createLeadInState, makeOffer, site } from '../conversation/leads-in-states.ts';
import { chooseCases, itWithFile, openFixture, type Fixture } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';

const STATUS_PATH = '/api/lead/{receipt}';

/** A fixture with a lead and a caller that knows its status. */
async function openWaitingFixture(
  status: Parameters<typeof createLeadInState>[1] = 'new',
  offer = {},
) {
  const fixture = await openFixture(site);
  const { send } = client(fixture);
  const { lead, offerId } = await createLeadInState(fixture, status, offer);
  const ask = (
    query: string,
    { etag, signal, address }: { etag?: string; signal?: AbortSignal; address?: string } = {},
  ) =>
    send(`${STATUS_PATH}${query}`, {
      method: 'GET',
      params: { receipt: lead },
      ...(etag && { headers: { 'if-none-match': etag } }),
      ...(signal && { signal }),
      ...(address && { address }),
    });
  const first = await ask('');
  return { fixture, lead, offerId, ask, etag: first.headers.get('etag')! };
}

const acknowledge = (lead: string, { context }: Pick<Fixture, 'context'>) =>
  changeLead({ receiptToken: lead, to: 'acknowledged', actor: 'provider' }, context);

/** Runs a function and returns its duration in ms and its result. */
async function measureDuration<T>(work: Promise<T>): Promise<[result: T, ms: number]> {
  const startedAt = performance.now();
  return [await work, performance.now() - startedAt];
}

/** True if a promise is still pending after a while. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const timeout = new Promise((resolve) => setTimeout(resolve, 100, 'pending'));
  return (await Promise.race([promise, timeout])) === 'pending';
}

itWithFile('accepts an ETag whose quotes the caller has stripped', async () => {
  const { ask, etag } = await openWaitingFixture();
  for (const sent of [etag, etag.replaceAll('"', ''), `W/${etag.replaceAll('"', '')}`])
    expect((await ask('', { etag: sent })).status, sent).toBe(304);
  expect((await ask('', { etag: etag.replaceAll('"', '').slice(1) })).status).toBe(200);
});

describe('a client that waits for a change', () => {
  it('is answered when the change happens, with the new status and its ETag', async () => {
    const { fixture, lead, ask, etag } = await openWaitingFixture();
    const answer = ask('?wait=60', { etag });
    expect(await isPending(answer)).toBe(true);
    await acknowledge(lead, fixture);
    const response = await answer;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'acknowledged' });
    expect(response.headers.get('etag')).not.toBe(etag);
  });

  itWithFile('gets 304 after the wait if nothing changes', async () => {
    const { ask, etag } = await openWaitingFixture();
    const [response, ms] = await measureDuration(ask('?wait=1', { etag }));
    expect([response.status, response.headers.get('etag')]).toEqual([304, etag]);
    expect(ms).toBeGreaterThan(950);
  });

  itWithFile('waits in the sandbox, and gets 304 after the wait', async () => {
    const { send } = client(await openFixture(site));
    const read = (query: string, headers = {}) =>
      send(`${STATUS_PATH}${query}`, { method: 'GET', params: { receipt: 'sandbox' }, headers });
    const first = await read('?wait=60');
    expect(first.status).toBe(200);
    const etag = first.headers.get('etag')!;
    expect((await read('', { 'if-none-match': etag })).status).toBe(304);
    const [response, ms] = await measureDuration(read('?wait=1', { 'if-none-match': etag }));
    expect([response.status, response.headers.get('etag')]).toEqual([304, etag]);
    expect(ms).toBeGreaterThan(950);
  });

  it('is answered immediately with an old ETag, without an ETag, with an asterisk, and with wait=0', async () => {
    const { ask, etag } = await openWaitingFixture();
    expect((await ask('?wait=60', { etag: '"before"' })).status).toBe(200);
    expect((await ask('?wait=60')).status).toBe(200);
    expect((await ask('?wait=60', { etag: '*' })).status).toBe(304);
    expect((await ask('?wait=0', { etag })).status).toBe(304);
    expect((await ask('', { etag: `W/${etag}, "other"` })).status).toBe(304);
  });

  it.each(chooseCases(['declined', 'withdrawn', 'expired'] as const))(
    'waits if the request is %s, so that a client that polls in a loop does so once a minute',
    async (ended) => {
      const { fixture, lead, ask, etag } = await openWaitingFixture(ended);
      const answer = ask('?wait=60', { etag });
      expect(await isPending(answer)).toBe(true);
      await eraseLead(lead, 'person', fixture.context);
      expect((await answer).status).toBe(410);
    },
  );

  it.each(chooseCases(['61', '-1', '1.5', '', 'long', '1&wait=2', '9999999999']))(
    'is rejected with wait=%s',
    async (wait) => {
      const { ask, etag } = await openWaitingFixture();
      const response = await ask(`?wait=${wait}`, { etag });
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({
          code: 'invalid_input',
          errors: [{ pointer: '/wait', message: expect.stringContaining('from 0 to 60') }],
        }),
      ]);
    },
  );

  it('is rejected with an unknown query parameter, and gets a suggested name', async () => {
    const { ask, etag } = await openWaitingFixture();
    const response = await ask('?wate=60', { etag });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({
        errors: [
          {
            pointer: '/wate',
            message: expect.stringContaining('Did you mean wait?'),
            allowed: ['wait'],
          },
        ],
      }),
    ]);
  });

  it('is notified of an erasure', async () => {
    const { fixture, lead, ask, etag } = await openWaitingFixture();
    const answer = ask('?wait=60', { etag });
    await eraseLead(lead, 'person', fixture.context);
    expect((await answer).status).toBe(410);
  });

  it('is answered when an offer expires, although nothing is written at that time', async () => {
    const expiresAt = new Date(Date.parse(site.generatedAt) + 30_000).toISOString();
    const { fixture, lead, ask, etag } = await openWaitingFixture('quoted', {
      expiresAt,
    });
    fixture.advanceHours((30_000 - 1_500) / 3_600_000);
    const response = await ask('?wait=60', { etag });
    expect(response.status).toBe(200);
    const body = (await response.json()) as object;
    expect(body).toMatchObject({ status: 'quoted', next: ['reply', 'withdraw', 'erase'] });
    expect(body).not.toHaveProperty('offer');
    expect(lead).toBeTruthy();
  });

  it('misses none of many changes', async () => {
    const { fixture, lead, ask, etag } = await openWaitingFixture();
    const amounts: string[] = [];
    const follow = async () => {
      for (let knownEtag = etag; amounts.at(-1) !== '9.00';) {
        const response = await ask('?wait=60', { etag: knownEtag });
        expect(response.status).toBe(200);
        knownEtag = response.headers.get('etag')!;
        const { offer } = (await response.json()) as { offer?: { amount: string } };
        if (offer) amounts.push(offer.amount);
      }
    };
    const pendingFollow = follow();
    for (let amount = 1; amount <= 9; amount++)
      await makeOffer(fixture, lead, { amount: `${amount}.00` });
    await pendingFollow;
    expect(amounts).toEqual([...new Set(amounts)].sort());
  });
});

describe('a change by another process', () => {
  it('is visible within a second, even if the clock was set back in the meantime', async () => {
    const { fixture, lead, ask } = await openWaitingFixture();
    fixture.advanceHours(-1);
    const otherDatabase = await openDatabase({ url: fixture.url, usesThread: false });
    await acknowledge(lead, { context: { ...fixture.context, database: otherDatabase } });
    await otherDatabase.close();
    const readStatus = async () => ((await (await ask('')).json()) as { status: string }).status;
    await expect.poll(readStatus).toBe('acknowledged');
  });

  it('is detected by the second poll, which runs only while a client is waiting', async () => {
    const { fixture, lead, ask, etag } = await openWaitingFixture();
    const polls = vi.spyOn(fixture.database.background, 'select');
    const otherDatabase = await openDatabase({ url: fixture.url, usesThread: false });
    try {
      const answer = ask('?wait=60', { etag });
      expect(await isPending(answer)).toBe(true);
      await acknowledge(lead, { context: { ...fixture.context, database: otherDatabase } });
      const pollCount = polls.mock.calls.length;
      expect((await answer).status).toBe(200);
      const { length } = polls.mock.calls;
      // The poll runs once per second, and the first poll may have started before the change.
      expect(length - pollCount).toBeLessThanOrEqual(2);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(polls.mock.calls.length).toBe(length);
    } finally {
      await otherDatabase.close();
    }
  });
});

describe('the wait slots', () => {
  itWithFile(
    'are limited to four per address, across all leads, and are freed by the response',
    async () => {
      const { fixture, lead, ask, etag } = await openWaitingFixture();
      const addresses = [
        '2001:db8:1:2::1',
        '2001:db8:1:2::2',
        '2001:db8:1:2:ffff::3',
        '2001:db8:1:2::4',
      ];
      const answers = addresses.map((address) => ask('?wait=60', { etag, address }));
      expect(await isPending(Promise.race(answers))).toBe(true);
      const fifthResponse = await ask('?wait=60', { etag, address: '2001:db8:1:2::5' });
      // A caller that retried immediately would loop endlessly.
      expect([fifthResponse.status, fifthResponse.headers.get('retry-after')]).toEqual([304, '10']);
      const neighborAnswer = ask('?wait=60', { etag, address: '2001:db8:1:3::1' });
      expect(await isPending(neighborAnswer)).toBe(true);
      await acknowledge(lead, fixture);
      for (const answer of [...answers, neighborAnswer]) expect((await answer).status).toBe(200);
      const knownEtag = (await ask('')).headers.get('etag')!;
      const laterAnswers = addresses.map((address) => ask('?wait=1', { etag: knownEtag, address }));
      expect(await isPending(Promise.race(laterAnswers))).toBe(true);
      for (const answer of laterAnswers) {
        const { status, headers } = await answer;
        expect([status, headers.get('retry-after')]).toEqual([304, null]);
      }
    },
  );

  itWithFile(
    'are limited to 2,000 per process, and are freed when clients disconnect',
    async () => {
      const { fixture, lead, ask, etag } = await openWaitingFixture();
      const controller = new AbortController();
      const answers = Array.from({ length: 2_000 }, (_, index) =>
        ask('?wait=60', {
          etag,
          signal: controller.signal,
          address: `198.51.${index >> 8}.${index & 255}`,
        }),
      );
      expect(await isPending(Promise.race(answers))).toBe(true);
      expect((await ask('?wait=60', { etag })).status).toBe(304);
      controller.abort();
      await Promise.all(answers);
      const nextResponse = ask('?wait=60', { etag });
      expect(await isPending(nextResponse)).toBe(true);
      await acknowledge(lead, fixture);
      expect((await nextResponse).status).toBe(200);
    },
  );

  it('are released when the service stops, and no new slots are granted', async () => {
    const { fixture, ask, etag } = await openWaitingFixture();
    const answer = ask('?wait=60', { etag });
    expect(await isPending(answer)).toBe(true);
    waitListOf(fixture.database).close();
    expect((await answer).status).toBe(304);
    expect((await ask('?wait=60', { etag })).status).toBe(304);
  });
});
