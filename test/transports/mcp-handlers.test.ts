import { describe, expect, it } from 'vitest';
import { toProblem } from '../../src/http/faults.ts';
import type { McpDefinition } from '../../src/mcp/definition.ts';
import { createCatalogServer } from '../../src/mcp/catalog-server.ts';
import { createEndpointHandler } from '../../src/mcp/index.ts';
import { createNetworkServer } from '../../src/mcp/network-server.ts';
import { promptsOf } from '../mcp/setup/examples.ts';
import { readStructuredAnswer } from '../mcp/setup/tool-result.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { createRpcClient, eras, openMcpEndpoints } from './setup/mcp.ts';

const PATHS = ['/api/mcp', '/api/v1/mcp'] as const;
const definitionFactories = { '/api/mcp': createNetworkServer, '/api/v1/mcp': createCatalogServer };

/** Names that objects inherit from their prototype. */
const INHERITED_NAMES = ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'answerOf'];

describe.each(sites)('MCP in $name', async ({ site }) => {
  const fixture = await openFixture(site);
  const channels = await openMcpEndpoints(fixture.context);

  describe.each(PATHS)('at %s', (path) => {
    const { prompts, templates } = definitionFactories[path](fixture.context);
    const completers = [
      ...prompts.map(({ descriptor, complete }) => ({
        ref: { type: 'ref/prompt', name: descriptor.name },
        complete,
      })),
      ...templates.map(({ descriptor, complete }) => ({
        ref: { type: 'ref/resource', uri: descriptor.uriTemplate },
        complete,
      })),
    ];

    it.each(eras)(
      'completes each argument that has completions, ignoring inherited property names, in %s',
      async (era) => {
        const complete = async (ref: object, name: string, value = '') =>
          (await channels.ask(path, 'completion/complete', { ref, argument: { name, value } }, era))
            .result?.completion;
        for (const { ref, complete: completionsByArgument } of completers) {
          for (const argument of Object.keys(completionsByArgument)) {
            const { values, total } = await complete(ref, argument);
            expect([ref, argument, values.length > 0, total >= values.length]).toEqual([
              ref,
              argument,
              true,
              true,
            ]);
            expect((await complete(ref, argument, values[0])).values).toContain(values[0]);
          }
          for (const argument of INHERITED_NAMES)
            expect([ref, argument, await complete(ref, argument, 'a')]).toEqual([
              ref,
              argument,
              { values: [], total: 0, hasMore: false },
            ]);
        }
      },
    );

    it('names the missing arguments of a prompt in a sentence', async () => {
      for (const { descriptor } of prompts) {
        const missing = (descriptor.arguments ?? []).filter(({ required }) => required);
        if (!missing.length) continue;
        const { error } = await channels.ask(path, 'prompts/get', { name: descriptor.name });
        const names = missing.map(({ name }) => name).join(', ');
        expect(error!.message).toBe(`Send what the prompt requires: ${names}.`);
      }
    });

    it('lists the valid names if a prompt name is unknown', async () => {
      const examples = promptsOf(site, path);
      // Any free text or secret token is accepted.
      const enumArguments = prompts
        .filter(({ descriptor }) => !['find_service', 'follow_request'].includes(descriptor.name))
        .flatMap(({ descriptor, complete }) =>
          Object.keys(complete).map((argument) => ({ name: descriptor.name, argument })),
        );
      expect(enumArguments.length).toBeGreaterThan(0);
      for (const { name, argument } of enumArguments) {
        const [value] = (
          await channels.ask(path, 'completion/complete', {
            ref: { type: 'ref/prompt', name },
            argument: { name: argument, value: '' },
            context: { arguments: examples[name] },
          })
        ).result.completion.values;
        const { error } = await channels.ask(path, 'prompts/get', {
          name,
          arguments: { ...examples[name], [argument]: `${value}x` },
        });
        expect([name, error!.code, error!.message]).toEqual([
          name,
          -32602,
          expect.stringContaining(`${argument}: Unknown name. Did you mean`),
        ]);
        expect(error!.message).toContain(value);
        expect(
          (
            await channels.ask(path, 'prompts/get', {
              name,
              arguments: { ...examples[name], [argument]: value },
            })
          ).error,
        ).toBeUndefined();
      }
    });

    it.each(eras)('says which resources there are, in %s', async (era) => {
      const { error } = await channels.ask(path, 'resources/read', { uri: 'network://nope' }, era);
      expect(error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/^Unknown resource\. Resources: .*network:\/\/.+\{/),
      });
    });

    it.each(eras)('explains which params violate the protocol, in %s', async (era) => {
      const invalidRequests: [method: string, params: object, at: string][] = [
        ['tools/call', { name: 'x', arguments: null }, 'params.arguments must be an object.'],
        ['tools/call', { name: 'x', arguments: [] }, 'params.arguments must be an object.'],
        ['tools/call', {}, 'params.name must be a string.'],
        ['prompts/get', { name: 'x', arguments: null }, 'params.arguments must be an object.'],
        [
          'prompts/get',
          { name: 'x', arguments: { 'a secret': 7 } },
          'params.arguments does not match the protocol.',
        ],
        ['resources/read', { uri: 7 }, 'params.uri must be a string.'],
        [
          'completion/complete',
          { ref: { type: 'x' }, argument: { name: 'a', value: '' } },
          'params.ref does not match the protocol.',
        ],
      ];
      for (const [method, params, message] of invalidRequests)
        expect((await channels.ask(path, method, params, era)).error).toEqual({
          code: -32602,
          message: `The params of ${method} are invalid. ${message}`,
        });
    });
  });
});

describe('an exception from a handler', async () => {
  const [{ site }] = sites as unknown as [(typeof sites)[number]];
  const SECRET = 'internal secret';
  const throwError = (): never => {
    throw new TypeError(SECRET);
  };
  const brokenDefinition: McpDefinition = {
    name: 'test/broken',
    title: 'Broken',
    version: '1.0.0',
    instructions: '',
    requiresKey: false,
    tools: [
      {
        name: 'fail',
        title: 'Fail',
        description: 'Fails.',
        annotations: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        call: async () => throwError(),
      },
    ],
    resources: [{ descriptor: { uri: 'test://fixed', name: 'fixed' }, read: throwError }],
    templates: [
      {
        descriptor: { uriTemplate: 'test://each/{id}', name: 'each' },
        complete: { id: throwError },
        read: throwError,
      },
    ],
    prompts: [
      {
        descriptor: { name: 'fail', arguments: [{ name: 'word' }] },
        complete: { word: throwError },
        render: throwError,
      },
    ],
  };
  const requests: [method: string, params: Record<string, unknown>][] = [
    ['tools/call', { name: 'fail', arguments: {} }],
    ['resources/read', { uri: 'test://fixed' }],
    ['resources/read', { uri: 'test://each/1' }],
    ['prompts/get', { name: 'fail' }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'fail' }, argument: { name: 'word', value: '' } },
    ],
    [
      'completion/complete',
      {
        ref: { type: 'ref/resource', uri: 'test://each/{id}' },
        argument: { name: 'id', value: '' },
      },
    ],
  ];

  it.each(
    eras.flatMap((era) => requests.map(([method, params]) => [era, method, params] as const)),
  )('in %s by %s is logged, but not revealed: %j', async (era, method, params) => {
    const { context, logged } = await openFixture(site);
    const ask = createRpcClient(
      createEndpointHandler(brokenDefinition, {
        context,
        toProblem: (thrown) => toProblem(thrown, context),
      }),
      `${site.base}/test`,
    );
    const { result, error } = await ask(method, params, era);
    const { code, id } = result ? readStructuredAnswer(result) : error!.data;
    expect([code, JSON.stringify(result ?? error)]).toEqual([
      'internal',
      expect.not.stringContaining(SECRET),
    ]);
    expect(logged).toEqual([
      [{ id, err: expect.objectContaining({ message: SECRET }) }, 'internal fault'],
    ]);
  });
});
