import { beforeEach, describe, expect, it } from 'vitest';
import { changeLead } from '../../src/leads/change-lead.ts';
import { createLeadInState, site } from '../conversation/leads-in-states.ts';
import { openFixture, type Fixture } from '../operations/setup/fixture.ts';
import { eras, openMcpEndpoints } from '../transports/setup/mcp.ts';

describe('get_lead_status with newerThan', () => {
  let fixture: Fixture;
  let call: Awaited<ReturnType<typeof openMcpEndpoints>>['call'];
  beforeEach(async () => {
    fixture = await openFixture(site);
    ({ call } = await openMcpEndpoints(fixture.context));
  });

  const readStatus = (args: object, era?: (typeof eras)[number]) =>
    call('/api/mcp', 'get_lead_status', args, era);
  const isPending = async (promise: Promise<unknown>) =>
    (await Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 100, 'later'))])) ===
    'later';

  it.each(eras)('answers when the change happens, in version %s', async (era) => {
    const { lead } = await createLeadInState(fixture, 'new');
    const { updatedAt } = (await readStatus({ receiptToken: lead }, era)).value;
    const answer = readStatus({ receiptToken: lead, newerThan: updatedAt }, era);
    expect(await isPending(answer)).toBe(true);
    fixture.advanceHours(1);
    await changeLead(
      { receiptToken: lead, to: 'acknowledged', actor: 'provider' },
      fixture.context,
    );
    const { value, _meta } = await answer;
    expect(value['status']).toBe('acknowledged');
    expect(_meta ?? {}).not.toHaveProperty('retry-after');
  });

  it('answers immediately if there is a newer state, if the lead has ended, and in the sandbox', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    const earlierTime = '2026-01-01T00:00:00.000Z';
    expect((await readStatus({ receiptToken: lead, newerThan: earlierTime })).value['status']).toBe(
      'acknowledged',
    );
    const { lead: ended } = await createLeadInState(fixture, 'declined');
    const { updatedAt } = (await readStatus({ receiptToken: ended })).value;
    expect((await readStatus({ receiptToken: ended, newerThan: updatedAt })).value['status']).toBe(
      'declined',
    );
    const sample = await readStatus({ receiptToken: 'sandbox', newerThan: updatedAt });
    expect(sample.value['status']).toBe('quoted');
  });

  it('compares instants if the time has an offset', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    const { updatedAt } = (await readStatus({ receiptToken: lead })).value;
    const toOffset = (time: number) =>
      new Date(time + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
    const before = toOffset(Date.parse(String(updatedAt)) - 1_000);
    expect(await isPending(readStatus({ receiptToken: lead, newerThan: before }))).toBe(false);
  });

  it('answers when an offer expires, although nothing is written at that time', async () => {
    const expiresAt = new Date(Date.parse(site.generatedAt) + 30_000).toISOString();
    const { lead } = await createLeadInState(fixture, 'quoted', { expiresAt });
    const { updatedAt, next } = (await readStatus({ receiptToken: lead })).value;
    expect(next).toContain('accept');
    fixture.advanceHours((30_000 - 1_500) / 3_600_000);
    const { value } = await readStatus({ receiptToken: lead, newerThan: updatedAt });
    expect(value['next']).not.toContain('accept');
  });

  it('responds immediately to the fifth request from one address, and says so with Retry-After', async () => {
    const { lead } = await createLeadInState(fixture, 'new');
    const { updatedAt } = (await readStatus({ receiptToken: lead })).value;
    const wait = () => readStatus({ receiptToken: lead, newerThan: updatedAt }, '2026-07-28');
    const answers = [wait(), wait(), wait(), wait()];
    expect(await isPending(Promise.race(answers))).toBe(true);
    const { content, _meta } = await wait();
    expect(_meta).toMatchObject({ 'retry-after': '10' });
    expect(content).toContainEqual({
      type: 'text',
      text: expect.stringMatching(/did not wait .* in 10 seconds\.$/) as string,
    });
    fixture.advanceHours(1);
    await changeLead(
      { receiptToken: lead, to: 'acknowledged', actor: 'provider' },
      fixture.context,
    );
    for (const { value } of await Promise.all(answers))
      expect(value['status']).toBe('acknowledged');
  });

  it('explains the expected time format', async () => {
    const { lead } = await createLeadInState(fixture, 'new');
    expect(await readStatus({ receiptToken: lead, newerThan: 'yesterday' })).toMatchObject({
      isError: true,
      value: {
        code: 'invalid_input',
        errors: [{ pointer: '/newerThan', message: expect.stringContaining('updatedAt') }],
      },
    });
  });
});
