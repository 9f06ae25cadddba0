import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  type InputRequiredResult,
  type InputRequiredSpec,
  McpServer,
  type McpServerFactory,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * Tools, resources and prompts that conformance scenarios expect from a test server. No real
 * endpoint has them. They use the same wrapper as the real endpoints.
 */

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

// Each request has its own server, so a retry must contain everything about the first round.
const state = createRequestStateCodec<{ round: number; name?: string }>({ key: randomBytes(32) });

const createTextResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const createResourceContent = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'An embedded resource.' },
});
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const audio = { type: 'audio' as const, data: SILENCE, mimeType: 'audio/wav' };

const elicit = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    },
  });
const requestConfirmation = () =>
  inputRequired.elicit({
    message: 'Confirm?',
    requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  });
const requestSample = (text: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 50,
  });

const readAcceptedInput = ({ mcpReq }: ServerContext, name: string) =>
  acceptedContent<Record<string, string>>(mcpReq.inputResponses, name);
const response = ({ mcpReq }: ServerContext, name: string) =>
  mcpReq.inputResponses?.[name] as { content?: { text?: string }; roots?: unknown[] } | undefined;

type Handler = (
  ctx: ServerContext,
) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

async function notifyClient(
  ctx: ServerContext,
  notification: Parameters<ServerContext['mcpReq']['notify']>[0],
): Promise<void> {
  await ctx.mcpReq.notify(notification);
  await pause();
}

const tools: Record<string, Handler> = {
  test_simple_text: () => createTextResult('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [audio] }),
  test_embedded_resource: () => ({ content: [createResourceContent('test://embedded-resource')] }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Several kinds.' },
      image,
      createResourceContent('test://mixed-content-resource'),
    ],
  }),
  test_error_handling: () => ({
    ...createTextResult('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  async test_tool_with_logging(ctx) {
    for (const data of [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ])
      await notifyClient(ctx, { method: 'notifications/message', params: { level: 'info', data } });
    return createTextResult('Logged.');
  },
  async test_tool_with_progress(ctx) {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      for (const progress of [0, 50, 100])
        await notifyClient(ctx, {
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
    return createTextResult(String(progressToken));
  },
  async test_logging_tool(ctx) {
    await ctx.mcpReq.log('info', 'Sent only if the request asked for logs.');
    return createTextResult('Logged if the client asked for logs.');
  },
  test_streaming_elicitation: () => createTextResult('One result and nothing else.'),
  test_missing_capability: (ctx) =>
    response(ctx, 'answer')
      ? createTextResult('Answered.')
      : inputRequired({ inputRequests: { answer: requestSample('Say pong.') } }),
  test_input_required_result_elicitation(ctx) {
    const name = readAcceptedInput(ctx, 'user_name')?.['name'];
    return typeof name === 'string'
      ? createTextResult(`Hello, ${name}.`)
      : inputRequired({ inputRequests: { user_name: elicit('What is your name?', 'name') } });
  },
  test_input_required_result_sampling(ctx) {
    const answer = response(ctx, 'capital_question');
    return answer
      ? createTextResult(`Sampled: ${answer.content?.text}`)
      : inputRequired({
          inputRequests: { capital_question: requestSample('What is the capital of France?') },
        });
  },
  test_input_required_result_list_roots(ctx) {
    const answer = response(ctx, 'client_roots');
    return answer?.roots
      ? createTextResult(`Roots: ${answer.roots.length}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  async test_input_required_result_request_state(ctx) {
    if (readAcceptedInput(ctx, 'confirm') && ctx.mcpReq.requestState())
      return createTextResult('state-ok');
    return inputRequired({
      inputRequests: { confirm: requestConfirmation() },
      requestState: await state.mint({ round: 1 }),
    });
  },
  async test_input_required_result_tampered_state(ctx) {
    if (readAcceptedInput(ctx, 'confirm') && ctx.mcpReq.requestState())
      return createTextResult('integrity-ok');
    return inputRequired({
      inputRequests: { confirm: requestConfirmation() },
      requestState: await state.mint({ round: 1 }),
    });
  },
  async test_input_required_result_multiple_inputs(ctx) {
    const name = readAcceptedInput(ctx, 'user_name')?.['name'];
    const greeting = response(ctx, 'greeting')?.content?.text;
    const roots = response(ctx, 'client_roots')?.roots;
    if (name && greeting && roots)
      return createTextResult(`${greeting} ${name}, ${roots.length} roots.`);
    const inputRequests = {
      user_name: elicit('What is your name?', 'name'),
      greeting: requestSample('Greet.'),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await state.mint({ round: 1 }) });
  },
  async test_input_required_result_multi_round(ctx) {
    const { round, name } = ctx.mcpReq.requestState<{ round: number; name?: string }>() ?? {
      round: 0,
    };
    if (round === 0)
      return inputRequired({
        inputRequests: { step1: elicit('What is your name?', 'name') },
        requestState: await state.mint({ round: 1 }),
      });
    if (round === 1)
      return inputRequired({
        inputRequests: { step2: elicit('Which color?', 'color') },
        requestState: await state.mint({
          round: 2,
          name: readAcceptedInput(ctx, 'step1')?.['name'] ?? '',
        }),
      });
    return createTextResult(`${name} likes ${readAcceptedInput(ctx, 'step2')?.['color']}.`);
  },
  test_input_required_result_capabilities(ctx) {
    if (ctx.mcpReq.inputResponses) return createTextResult('Given.');
    const clientCapabilities = (
      ctx.mcpReq.envelope as Record<string, Record<string, unknown>> | undefined
    )?.[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests: NonNullable<InputRequiredSpec['inputRequests']> = {
      ...(clientCapabilities?.['elicitation'] !== undefined && {
        user_name: elicit('What is your name?', 'name'),
      }),
      ...(clientCapabilities?.['sampling'] !== undefined && { greeting: requestSample('Greet.') }),
      ...(clientCapabilities?.['roots'] !== undefined && {
        client_roots: inputRequired.listRoots(),
      }),
    };
    return Object.keys(inputRequests).length
      ? inputRequired({ inputRequests })
      : createTextResult('Nothing can be asked.');
  },
};

const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

const message = (
  content: { type: 'text'; text: string } | typeof image | ReturnType<typeof createResourceContent>,
) => ({ role: 'user' as const, content });

/** A server with everything that the scenarios use. */
export const fixtureFactory: McpServerFactory = () => {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
        prompts: { listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify: state.verify },
      cacheHints: Object.fromEntries(
        [
          'server/discover',
          'tools/list',
          'resources/list',
          'resources/templates/list',
          'resources/read',
          'prompts/list',
        ].map((method) => [method, { ttlMs: 1000, cacheScope: 'public' as const }]),
      ),
    },
  );
  for (const [name, handler] of Object.entries(tools))
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, (_, ctx) =>
      handler(ctx),
    );
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Keywords of JSON Schema 2020-12',
      inputSchema: fromJsonSchema(schema2020 as never),
    },
    (args) => createTextResult(JSON.stringify(args)),
  );
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'An argument that a header mirrors',
      inputSchema: fromJsonSchema<{ region?: string }>({
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      } as never),
    },
    ({ region }) => createTextResult(`region ${region}`),
  );

  const registerFixedResource = (
    uri: string,
    content: { text: string } | { blob: string },
    mimeType: string,
  ) =>
    server.registerResource(uri, uri, { title: uri, mimeType }, () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  registerFixedResource(
    'test://static-text',
    { text: 'The content of the static text resource.' },
    'text/plain',
  );
  registerFixedResource('test://static-binary', { blob: PIXEL }, 'image/png');
  registerFixedResource('test://watched-resource', { text: 'Watched.' }, 'text/plain');
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', {
      list: undefined,
      complete: { id: () => ['123'] },
    }),
    { mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const)
    server.server.setRequestHandler(method, () => ({}));

  server.registerPrompt('test_simple_prompt', { description: 'No arguments' }, () => ({
    messages: [message({ type: 'text', text: 'This is a simple prompt for testing.' })],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Two arguments',
      argsSchema: z.object({
        arg1: completable(z.string(), (prefix) =>
          ['paris', 'park', 'party'].filter((word) => word.startsWith(prefix)),
        ),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ({
      messages: [
        message({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
      ],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        message(createResourceContent(resourceUri)),
        message({ type: 'text', text: 'Process it.' }),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image' }, () => ({
    messages: [message(image), message({ type: 'text', text: 'Look at it.' })],
  }));
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks before it renders', argsSchema: z.object({}) },
    (_, ctx) => {
      const context = readAcceptedInput(ctx, 'user_context')?.['context'];
      if (typeof context !== 'string')
        return inputRequired({
          inputRequests: { user_context: elicit('Which context?', 'context') },
        });
      return { messages: [message({ type: 'text', text: `Use this context: ${context}` })] };
    },
  );
  return server;
};
