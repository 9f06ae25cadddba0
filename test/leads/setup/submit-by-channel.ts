import { expect } from 'vitest';
import { createBindingClient, message } from '../../a2a/setup/endpoint.ts';
import type { Fixture } from '../../operations/setup/fixture.ts';
import { openMcpEndpoints } from '../../transports/setup/mcp.ts';
import { client, inputsOf } from '../../transports/setup/send.ts';

/** Submits a lead without a key, by channel. */
const channels: Record<string, (fixture: Fixture, lead: object) => Promise<void>> = {
  async form(fixture, lead) {
    const formResponse = await client(fixture).form('/api/lead/action', inputsOf(lead));
    expect(formResponse.status).toBe(303);
  },
  async mcp(fixture, lead) {
    const toolResult = await (
      await openMcpEndpoints(fixture.context)
    ).call('/api/mcp', 'submit_action', lead);
    expect(toolResult.isError).toBeUndefined();
  },
  async a2a(fixture, lead) {
    const a2a = await createBindingClient(fixture.context, 'JSONRPC');
    await a2a.sendMessage(message({ data: lead }));
  },
};

/**
 * Submits a lead by form, MCP and A2A, and returns the three tokens; `createLead` returns the input
 * for each.
 */
export async function submitByEachChannel(
  fixture: Fixture,
  createLead: (channel: string) => object,
): Promise<string[]> {
  const tokens: string[] = [];
  for (const [channel, file] of Object.entries(channels)) {
    await file(fixture, createLead(channel));
    const newLeads = (await fixture.rows('leads')).filter((lead) => lead['channel'] === channel);
    expect(newLeads.length, channel).toBe(1);
    tokens.push(String(newLeads[0]!['token']));
  }
  return tokens;
}
