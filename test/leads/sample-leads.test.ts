import { describe, expect, it } from 'vitest';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { leadStatuses } from '../../src/leads/lead-states.ts';
import { readLeadStatus } from '../../src/leads/status/read-lead-status.ts';
import { isSandboxToken } from '../../src/leads/status/sample-lead.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { client } from '../transports/setup/send.ts';

const sampleStatuses = leadStatuses.filter((status) => status !== 'erased');

describe.each(sites)('the sample leads of the sandbox, on $name', ({ site }) => {
  it.each(sampleStatuses)('can be read as %s over HTTP and over MCP', async (status) => {
    const fixture = await openFixture(site);
    const receiptToken = `sandbox-${status}`;
    const requests = client(fixture);
    const response = await requests.get('/api/lead/{receipt}', { receipt: receiptToken });
    expect(response.status).toBe(200);
    const lead = (await response.json()) as Record<string, unknown>;
    expect(lead).toMatchObject({ receiptToken, status });
    expect(lead['notice']).toMatch(/sample/i);

    const mcp = await openMcpEndpoints(fixture.context);
    const tool = await mcp.call('/api/mcp', 'get_lead_status', { receiptToken });
    expect(tool.value).toMatchObject({ receiptToken, status });
    for (const table of ['leads', 'lead_history', 'outbox', 'idempotency'] as const)
      expect(await fixture.rows(table)).toEqual([]);
  });

  it('accept exactly the messages that their state allows, and store nothing', async () => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const send = (receipt: string, body: object) =>
      sendMessage.handle(
        sendMessage.parse({ receipt, ...body }, context),
        { channel: 'json', idempotencyKey: 'a-key-of-sixteen-characters' },
        context,
      );
    for (const status of sampleStatuses) {
      const receipt = `sandbox-${status}`;
      const read = () =>
        readLeadStatus
          .handle({ receiptToken: receipt }, { channel: 'json' }, context)
          .then(({ output }) => output);
      const before = await read();
      const bodies = {
        reply: { text: 'The gate is six feet wide.' },
        accept: { accept: before.offer?.offerId ?? 'sampleOffer34678' },
        decline: { decline: before.offer?.offerId ?? 'sampleOffer34678' },
        withdraw: { withdraw: true },
      };
      for (const [action, body] of Object.entries(bodies))
        // A repeated withdrawal gets the status again.
        if (action === 'withdraw' && before.status === 'withdrawn')
          expect((await send(receipt, body)).output).toEqual(before);
        else if (before.next.some((one) => one === action)) {
          const { output } = await send(receipt, body);
          expect(output.receiptToken).toBe(receipt);
          expect(output.messages.length + output.history.length).toBeGreaterThan(
            before.messages.length + before.history.length,
          );
        } else expect((await problemOf(() => send(receipt, body))).code).toBe('conflict');
      expect(await read()).toEqual(before);
    }
    for (const table of ['leads', 'lead_history', 'outbox', 'idempotency'] as const)
      expect(await fixture.rows(table)).toEqual([]);
  });
});

it('no other token is a sandbox token', () => {
  for (const token of ['sandbox-', 'sandbox-erased', 'sandbox-New', 'sandbox-new-', 'xsandbox', ''])
    expect(isSandboxToken(token), token).toBe(false);
});
