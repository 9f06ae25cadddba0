import {
  type CallToolResult,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ServerOptions,
  UriTemplate,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Problem } from '../operation/problem.ts';
import type {
  Completer,
  McpDefinition,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
} from './definition.ts';
import { memberOf } from '../site/json-object.ts';
import { toolCallOf } from './caller.ts';
import { createFaultResult } from './fault.ts';
import { type GuardedServer, createGuardedServerClass } from './protocol-faults.ts';
import {
  toCreatedTaskResult,
  serveTasks,
  type TaskCall,
  taskCallOf,
  tasksCapability,
} from './tasks.ts';
import { createStructuredResult, REPLAYED_TEXT, type ToolAnswer, type ToolCall } from './tool.ts';

/** How long a client may cache a list or a resource, which changes only with the next build. */
const TTL_MS = 300_000;
/** `_meta` of a replayed result, like the Idempotent-Replayed header of other channels. */
const REPLAYED_META = { 'idempotent-replayed': true };
/** The replay notice in the content of a result, because a model does not read `_meta`. */
const createReplayedText = (stateTools: readonly string[]) =>
  `${REPLAYED_TEXT} Read the current state with ${stateTools.join(' or ')}.`;
/** The tools that read the current state of something that another tool started. */
const STATE_TOOLS = ['get_lead_status', 'get_task'];
/** Maximum length of a resource URI that is matched against templates, in characters. */
const MAX_URI_LENGTH = 500;
/** Maximum number of values in a completion, per the protocol. */
const MAX_COMPLETIONS = 100;

// Share one validator; otherwise, every request would create its own.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const createParamsError = (message: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message);

function completion(
  completer: Completer | undefined,
  prefix: string,
  chosen: Record<string, string>,
) {
  const values = completer?.(prefix, chosen) ?? [];
  return {
    completion: {
      values: values.slice(0, MAX_COMPLETIONS),
      total: values.length,
      hasMore: values.length > MAX_COMPLETIONS,
    },
  };
}

/** Server options, the same for every request. */
function createServerOptions({
  instructions,
  requiresKey,
  resources,
  templates,
  prompts,
}: McpDefinition): ServerOptions {
  const hint = { ttlMs: TTL_MS, cacheScope: requiresKey ? 'private' : 'public' } as const;
  const offersResources = resources.length + templates.length > 0;
  return {
    instructions,
    jsonSchemaValidator,
    // Nothing changes between builds, so there are no change notifications.
    capabilities: {
      tools: { listChanged: false },
      ...(offersResources && { resources: { listChanged: false, subscribe: false } }),
      ...(prompts.length && { prompts: { listChanged: false } }),
      ...((templates.length || prompts.length) && { completions: {} }),
    },
    cacheHints: {
      'server/discover': hint,
      'tools/list': hint,
      'resources/list': hint,
      'resources/templates/list': hint,
      'resources/read': hint,
      'prompts/list': hint,
    },
  };
}

type ParsedTemplate = McpResourceTemplate & { uri: UriTemplate };

type PromptByName = ReadonlyMap<string, McpPrompt>;

function readResource(
  uri: string,
  resources: readonly McpResource[],
  templates: readonly ParsedTemplate[],
): { mimeType: string | undefined; text: string } | undefined {
  const fixedResource = resources.find(({ descriptor }) => descriptor.uri === uri);
  if (fixedResource)
    return { mimeType: fixedResource.descriptor.mimeType, text: fixedResource.read() };
  for (const template of templates) {
    const variables = uri.length <= MAX_URI_LENGTH ? template.uri.match(uri) : null;
    const text = variables && template.read(variables as Record<string, string>);
    if (typeof text === 'string') return { mimeType: template.descriptor.mimeType, text };
  }
  return undefined;
}

function serveResources(
  server: GuardedServer,
  definition: Pick<McpDefinition, 'resources'>,
  templates: readonly ParsedTemplate[],
): void {
  server.setRequestHandler('resources/list', () => ({
    resources: definition.resources.map((resource) => resource.descriptor),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: templates.map((template) => template.descriptor),
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const found = readResource(uri, definition.resources, templates);
    if (!found) {
      const uris = [
        ...definition.resources.map(({ descriptor }) => descriptor.uri),
        ...templates.map(({ descriptor }) => descriptor.uriTemplate),
      ];
      throw new ResourceNotFoundError(
        uri,
        `Unknown resource. Resources: ${uris.join(', ')}. completion/complete lists the names for braces.`,
      );
    }
    const { mimeType, text } = found;
    return { contents: [{ uri, ...(mimeType && { mimeType }), text }] };
  });
}

function servePrompts(server: GuardedServer, promptByName: PromptByName): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: [...promptByName.values()].map((prompt) => prompt.descriptor),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = promptByName.get(params.name);
    if (!prompt)
      throw createParamsError(`Unknown prompt. Prompts: ${[...promptByName.keys()].join(', ')}`);
    const args = params.arguments ?? {};
    const missing = (prompt.descriptor.arguments ?? []).filter(
      (argument) => argument.required && !args[argument.name],
    );
    if (missing.length)
      throw createParamsError(
        `Send what the prompt requires: ${missing.map((argument) => argument.name).join(', ')}.`,
      );
    return prompt.render(args);
  });
}

function serveCompletions(
  server: GuardedServer,
  promptByName: PromptByName,
  templates: readonly ParsedTemplate[],
): void {
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }) => {
    const target =
      ref.type === 'ref/prompt'
        ? promptByName.get(ref.name)
        : templates.find((template) => template.descriptor.uriTemplate === ref.uri);
    if (!target) throw createParamsError('Unknown prompt or resource template');
    return completion(
      memberOf(target.complete, argument.name),
      argument.value,
      context?.arguments ?? {},
    );
  });
}

/**
 * Creates a fresh server instance for each request, as the SDK requires for both protocol versions.
 * The schemas, lists and indexes are created here, only once. No error message from a tool or any
 * other handler reaches the caller: `toProblem` turns every thrown value into a problem.
 */
export function createServerFactory(
  definition: McpDefinition,
  base: string,
  toProblem: (error: unknown) => Problem,
): McpServerFactory {
  const { name, title, version, tasks: mcpTasks } = definition;
  const options = createServerOptions(definition);
  const optionsWithTasks = {
    ...options,
    capabilities: { ...options.capabilities, ...tasksCapability },
  };
  const Server = createGuardedServerClass(base, toProblem);
  const tools = definition.tools.map(
    ({ name: tool, title: label, description, annotations, inputSchema, outputSchema }) => ({
      name: tool,
      title: label,
      description,
      inputSchema,
      outputSchema,
      annotations,
    }),
  );
  const toolByName = new Map(definition.tools.map((tool) => [tool.name, tool]));
  const replayedText = createReplayedText(STATE_TOOLS.filter((tool) => toolByName.has(tool)));
  const templates = definition.templates.map((template) => ({
    ...template,
    uri: new UriTemplate(template.descriptor.uriTemplate),
  }));
  const promptByName = new Map(
    definition.prompts.map((prompt) => [prompt.descriptor.name, prompt]),
  );

  /** The task of a call, if its tool has tasks and the client supports them. */
  async function taskOf(
    { taskId }: ToolAnswer,
    call: TaskCall | undefined,
  ): Promise<CallToolResult | undefined> {
    return mcpTasks && taskId !== undefined && call
      ? toCreatedTaskResult(await mcpTasks.get(taskId, call))
      : undefined;
  }

  async function callTool(
    tool: string,
    args: unknown,
    call: ToolCall,
    taskCall: TaskCall | undefined,
  ): Promise<CallToolResult> {
    const calledTool = toolByName.get(tool);
    if (!calledTool)
      throw createParamsError(`Unknown tool. Tools: ${[...toolByName.keys()].join(', ')}`);
    try {
      const answer = await calledTool.call(args, call);
      const task = await taskOf(answer, taskCall);
      const result = task ?? createStructuredResult(answer.structured);
      const notice = answer.replayed ? (calledTool.replayedText ?? replayedText) : answer.notice;
      return {
        ...result,
        ...(notice !== undefined &&
          !task && { content: [...result.content, { type: 'text' as const, text: notice }] }),
        ...((answer.replayed || answer.headers) && {
          _meta: { ...(answer.replayed && REPLAYED_META), ...answer.headers },
        }),
      };
    } catch (error) {
      return createFaultResult(toProblem(error), base);
    }
  }

  return ({ era }) => {
    const tasks = era === 'modern' ? mcpTasks : undefined;
    const server = new Server({ name, title, version }, tasks ? optionsWithTasks : options);
    if (tasks) serveTasks(server, tasks, base);
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', ({ params }, ctx) =>
      callTool(params.name, params.arguments, toolCallOf(ctx), tasks && taskCallOf(ctx)),
    );
    if (options.capabilities?.resources) serveResources(server, definition, templates);
    if (options.capabilities?.prompts) servePrompts(server, promptByName);
    if (options.capabilities?.completions) serveCompletions(server, promptByName, templates);
    return server;
  };
}
