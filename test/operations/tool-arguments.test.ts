import { expect, it } from 'vitest';
import { customerActions } from '../../src/leads/conversation/conversation.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { captureLead } from '../../src/leads/submit/capture-lead.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { createShareLink } from '../../src/links/create-share-link.ts';
import { createAskKnowledgeTool } from '../../src/mcp/ask-knowledge.ts';
import { createGetCapabilityTool } from '../../src/mcp/catalog-tools.ts';
import { createNetworkTools } from '../../src/mcp/network-tools.ts';
import { createWriteTools } from '../../src/mcp/write-tools.ts';
import type { Operation } from '../../src/operation/operation.ts';
import { openFixture, sites } from './setup/fixture.ts';

const operations: Readonly<Record<string, Operation<any, any>>> = {
  submit_action: submitAction,
  capture_lead: captureLead,
  reply_to_request: sendMessage,
  create_share_link: createShareLink,
};

/** Top-level names of a body, in any of its forms. */
function namesIn(schema: any, components: Readonly<Record<string, any>>): string[] {
  const { $ref, properties = {}, oneOf = [], anyOf = [], allOf = [] } = schema;
  const parts = [
    ...oneOf,
    ...anyOf,
    ...allOf,
    ...($ref ? [components[$ref.split('/').at(-1)]] : []),
  ];
  return [...Object.keys(properties), ...parts.flatMap((part: any) => namesIn(part, components))];
}

it.each(sites)('the tools of $name list every argument that they accept', async ({ site }) => {
  const { context } = await openFixture(site);
  const tools = createWriteTools(context);
  for (const [name, operation] of Object.entries(operations)) {
    const { request, components = {} } = operation.describe(site) as any;
    const { inputSchema } = tools.find((tool) => tool.name === name)!;
    const names = namesIn(request, components);
    expect(names.length, name).toBeGreaterThan(2);
    expect([name, Object.keys(inputSchema.properties as object)]).toEqual([
      name,
      expect.arrayContaining(names),
    ]);
  }
});

it.each(sites)(
  'the tools of $name say how to take every action listed in next',
  async ({ site }) => {
    const { context } = await openFixture(site);
    const { description, inputSchema } = createWriteTools(context).find(
      ({ name }) => name === 'reply_to_request',
    )!;
    for (const action of customerActions)
      for (const place of [description, Object.keys(inputSchema.properties as object)])
        expect(place).toContain(action === 'reply' ? 'text' : action);
  },
);

it.each(sites)(
  'the tools of $name report an unknown name together with every other error',
  async ({ site }) => {
    const { context } = await openFixture(site);
    const tools = [
      ...createNetworkTools(context),
      createAskKnowledgeTool(context),
      createGetCapabilityTool(site, () => true),
    ];
    for (const [tool, args] of [
      ['get_subsite_info', { name: 'nobody', other: 1 }],
      ['ask_knowledge', { question: 'Price?', subsite: 'nobody', kind: 'none', limit: 0 }],
      ['get_capability', { id: 'nobody', other: 1 }],
    ] as const) {
      const pointers = Object.keys(args)
        .filter((name) => name !== 'question')
        .map((name) => `/${name}`);
      const call = tools.find(({ name }) => name === tool)!.call(args, {});
      await expect(call, tool).rejects.toMatchObject({
        errors: expect.toSatisfy(
          (errors: { pointer: string }[]) =>
            errors
              .map(({ pointer }) => pointer)
              .sort()
              .join() === pointers.sort().join(),
        ) as unknown,
      });
    }
  },
);
