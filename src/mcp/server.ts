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
import type { Completer, McpDefinition } from './definition.ts';
import { toolCallOf } from './caller.ts';
import { faultResult } from './fault.ts';
import { guardedServer } from './protocol-faults.ts';
import {
  createdTask,
  serveTasks,
  structuredResult,
  type TaskCall,
  taskCallOf,
  tasksCapability,
} from './tasks.ts';
import type { ToolAnswer, ToolCall } from './tool.ts';

/** How long a client may cache a list or a resource, which changes only with the next build. */
const TTL_MS = 300_000;
/** Corresponds to the Idempotent-Replayed header of other channels. */
const REPLAYED = { 'idempotent-replayed': true };
/** The same for a model, which reads only the content of a result. */
const REPLAYED_TEXT = {
  type: 'text' as const,
  text: 'Replayed: an earlier call with this idempotencyKey did this, and what is above is its answer of that time. Read the present state with get_lead_status or get_task.',
};
/** Maximum number of values in a completion, per the protocol. */
const MAX_COMPLETIONS = 100;

// Otherwise, each server instance would create its own validator at each request.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const refuse = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

function completion(
  completer: Completer | undefined,
  typed: string,
  chosen: Record<string, string>,
) {
  const values = completer?.(typed, chosen) ?? [];
  return {
    completion: {
      values: values.slice(0, MAX_COMPLETIONS),
      total: values.length,
      hasMore: values.length > MAX_COMPLETIONS,
    },
  };
}

/** Server options, the same for every request. */
function optionsOf({
  instructions,
  cacheScope,
  resources,
  templates,
  prompts,
}: McpDefinition): ServerOptions {
  const hint = { ttlMs: TTL_MS, cacheScope };
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

/**
 * Creates a fresh server instance for each request, as both eras of the SDK require. Schemas, lists
 * and indexes are created only once, here. No error message from a tool or any other handler
 * reaches the caller: `problemOf` turns every thrown value into a problem.
 */
export function serverFactory(
  definition: McpDefinition,
  base: string,
  problemOf: (error: unknown) => Problem,
): McpServerFactory {
  const { name, title, version, tasks: running } = definition;
  const options = optionsOf(definition);
  const withTasks = { ...options, capabilities: { ...options.capabilities, ...tasksCapability } };
  const Server = guardedServer(base, problemOf);
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
  const resourceByUri = new Map(
    definition.resources.map((resource) => [resource.about.uri, resource]),
  );
  const templates = definition.templates.map((template) => ({
    ...template,
    uri: new UriTemplate(template.about.uriTemplate),
  }));
  const promptByName = new Map(definition.prompts.map((prompt) => [prompt.about.name, prompt]));

  /** The task of a call, if its tool has tasks and the client supports them. */
  async function taskOf(
    { taskId }: ToolAnswer,
    call: TaskCall | undefined,
  ): Promise<CallToolResult | undefined> {
    return running && taskId !== undefined && call
      ? createdTask(await running.get(taskId, call))
      : undefined;
  }

  async function callTool(
    tool: string,
    args: unknown,
    call: ToolCall,
    taskCall: TaskCall | undefined,
  ): Promise<CallToolResult> {
    const known = toolByName.get(tool);
    if (!known)
      throw refuse(`There is no such tool here. Tools: ${[...toolByName.keys()].join(', ')}`);
    try {
      const answer = await known.call(args, call);
      const task = await taskOf(answer, taskCall);
      const result = task ?? structuredResult(answer.structured);
      return {
        ...result,
        ...(answer.replayed && !task && { content: [...result.content, REPLAYED_TEXT] }),
        ...((answer.replayed || answer.headers) && {
          _meta: { ...(answer.replayed && REPLAYED), ...answer.headers },
        }),
      };
    } catch (error) {
      return faultResult(problemOf(error), base);
    }
  }

  function readResource(uri: string): { mimeType: string | undefined; text: string } | undefined {
    const fixed = resourceByUri.get(uri);
    if (fixed) return { mimeType: fixed.about.mimeType, text: fixed.read() };
    for (const template of templates) {
      const variables = uri.length <= 500 ? template.uri.match(uri) : null;
      const text = variables && template.read(variables as Record<string, string>);
      if (typeof text === 'string') return { mimeType: template.about.mimeType, text };
    }
    return undefined;
  }

  return ({ era }) => {
    const tasks = era === 'modern' ? running : undefined;
    const server = new Server({ name, title, version }, tasks ? withTasks : options);
    if (tasks) serveTasks(server, tasks, base);
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', ({ params }, ctx) =>
      callTool(params.name, params.arguments, toolCallOf(ctx), tasks && taskCallOf(ctx)),
    );
    if (options.capabilities?.resources) {
      server.setRequestHandler('resources/list', () => ({
        resources: definition.resources.map((resource) => resource.about),
      }));
      server.setRequestHandler('resources/templates/list', () => ({
        resourceTemplates: definition.templates.map((template) => template.about),
      }));
      server.setRequestHandler('resources/read', ({ params }) => {
        const found = readResource(params.uri);
        if (!found) throw new ResourceNotFoundError(params.uri);
        return {
          contents: [
            {
              uri: params.uri,
              ...(found.mimeType && { mimeType: found.mimeType }),
              text: found.text,
            },
          ],
        };
      });
    }
    if (options.capabilities?.prompts) {
      server.setRequestHandler('prompts/list', () => ({
        prompts: definition.prompts.map((prompt) => prompt.about),
      }));
      server.setRequestHandler('prompts/get', ({ params }) => {
        const prompt = promptByName.get(params.name);
        if (!prompt)
          throw refuse(
            `There is no such prompt here. Prompts: ${[...promptByName.keys()].join(', ')}`,
          );
        const args = params.arguments ?? {};
        const missing = (prompt.about.arguments ?? []).filter(
          (argument) => argument.required && !args[argument.name],
        );
        if (missing.length)
          throw refuse(
            `The prompt needs ${missing.map((argument) => argument.name).join(' and ')}`,
          );
        return prompt.render(args);
      });
    }
    if (options.capabilities?.completions)
      server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }) => {
        const offer =
          ref.type === 'ref/prompt'
            ? promptByName.get(ref.name)
            : templates.find((template) => template.about.uriTemplate === ref.uri);
        if (!offer) throw refuse('There is nothing of that name to complete for');
        return completion(
          Object.hasOwn(offer.complete, argument.name) ? offer.complete[argument.name] : undefined,
          argument.value,
          context?.arguments ?? {},
        );
      });
    return server;
  };
}
