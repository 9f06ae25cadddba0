import { expect } from 'vitest';
import { clientOf, message } from '../../a2a/setup/door.ts';
import type { World } from '../../operations/setup/world.ts';
import { mcpDoors } from '../../transports/setup/mcp.ts';
import { client, inputsOf } from '../../transports/setup/send.ts';

/** Channels that strangers file leads by, each as the bytes of a request; what it files is among the rows of leads. */
const channels: Record<string, (world: World, lead: object) => Promise<void>> = {
  async form(world, lead) {
    const sent = await client(world).form('/api/lead/action', inputsOf(lead));
    expect(sent.status).toBe(303);
  },
  async mcp(world, lead) {
    const called = await (await mcpDoors(world.context)).call('/api/mcp', 'submit_action', lead);
    expect(called.isError).toBeUndefined();
  },
  async a2a(world, lead) {
    const a2a = await clientOf(world.context, 'JSONRPC');
    await a2a.sendMessage(message({ data: lead }));
  },
};

/** Files a lead by a form, by MCP and by A2A, and answers the tokens of the three; `leadFor` gives each its own input. */
export async function fileByEachChannel(
  world: World,
  leadFor: (channel: string) => object,
): Promise<string[]> {
  const tokens: string[] = [];
  for (const [channel, file] of Object.entries(channels)) {
    await file(world, leadFor(channel));
    const filed = (await world.rows('leads')).filter(({ door }) => door === channel);
    expect(filed.length, channel).toBe(1);
    tokens.push(String(filed[0]!['token']));
  }
  return tokens;
}
