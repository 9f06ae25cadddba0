import type { AuthInfo } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { requireScope } from '../keys/authenticate-key.ts';
import type { ActiveKey } from '../operation/operation.ts';
import { cancelTask } from '../capabilities/cancel-task.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';
import { readTask } from '../capabilities/read-task.ts';
import { requestQuote } from '../capabilities/request-quote.ts';
import { runCapability } from '../capabilities/run-capability.ts';
import { capabilityCatalog } from '../capabilities/capability-catalog.ts';
import { allows } from '../keys/key-scopes.ts';
import { isObject } from '../site/json-object.ts';
import { expecting } from '../operation/validate.ts';
import { getCapabilityTool, searchCapabilitiesTool } from './catalog-tools.ts';
import {
  idempotencyKey,
  listOf,
  objectOf,
  readingTool,
  textOf,
  writingTool,
} from './operation-tool.ts';
import {
  type McpTool,
  readArguments,
  REACHES_PROVIDERS,
  READS,
  type ToolAnnotations,
  type ToolCall,
} from './tool.ts';

const QUOTES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
const CANCELS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};

/** Maximum number of scope sets whose search index is cached. */
const MAX_SETS = 200;

/** The key that the bearer check attached to the call. */
export function keyOf({ authInfo }: ToolCall): ActiveKey {
  const key = authInfo?.extra?.['key'] as ActiveKey | undefined;
  if (!key)
    throw new Problem('unauthorized', 'Send a key in the header Authorization: Bearer <API_KEY>.');
  return key;
}

/** A key as the SDK's auth info. */
export const authInfoOf = (key: ActiveKey): AuthInfo => ({
  token: key.id,
  clientId: key.id,
  scopes: [...key.scopes],
  ...(key.expiresAt !== null && { expiresAt: Math.floor(Date.parse(key.expiresAt) / 1000) }),
  extra: { key },
});

const text = { type: 'string' };
const request = {
  capability: textOf('Id from search_capabilities'),
  input: { type: 'object', description: 'As the inputSchema of get_capability says' },
};
const taskId = textOf('From run_capability');
const task = objectOf(
  {
    taskId: text,
    capability: text,
    status: text,
    statusUrl: text,
    retryAfterSeconds: { type: 'integer', minimum: 5, maximum: 300 },
    result: { type: 'object' },
    error: objectOf({ code: text, detail: text }),
    charge: objectOf({ amount: text, currency: text }),
  },
  ['taskId', 'status'],
);

/** Tools to search and read a catalog, one pair for each set of allowed capabilities. */
function scopedCatalog(context: Context): McpTool[] {
  const all = [...capabilityCatalog(context.site).values()];
  const sets = new Map<string, { search: McpTool; read: McpTool }>();
  const setOf = (call: ToolCall) => {
    const { scopes } = keyOf(call);
    const name = JSON.stringify(scopes);
    let tools = sets.get(name);
    if (!tools) {
      const allowed = all.filter(({ id }) => allows(scopes, id));
      if (sets.size >= MAX_SETS) sets.clear();
      sets.set(
        name,
        (tools = {
          search: searchCapabilitiesTool(context.site, allowed),
          read: getCapabilityTool(allowed),
        }),
      );
    }
    return tools;
  };
  return [
    {
      ...searchCapabilitiesTool(context.site, all),
      pure: false,
      call: (args, call) => setOf(call).search.call(args, call),
    },
    {
      ...getCapabilityTool(all),
      pure: false,
      call(args, call) {
        const id = isObject(args) ? args['id'] : undefined;
        if (typeof id === 'string' && capabilityCatalog(context.site).has(id))
          requireScope(keyOf(call), id);
        return setOf(call).read.call(args, call);
      },
    },
  ];
}

const oneTask = v.strictObject({
  taskId: v.pipe(v.string(), expecting('Write the taskId that run_capability answered with.')),
});

/** The ID argument of a task tool. @throws {Problem} invalid_input */
const taskIn = (args: unknown): { id: string } => ({ id: readArguments(oneTask, args).taskId });

/**
 * The six tools of the endpoint with a key; each shows and accepts only what the key’s scopes
 * allow.
 */
export function agentTools(context: Context): McpTool[] {
  return [
    ...scopedCatalog(context),
    writingTool(
      requestQuote,
      {
        name: 'request_quote',
        title: 'Request a quote',
        description:
          'Prices a capability for one exact input, with a breakdown; free ones quote 0.00. Nothing runs.',
        annotations: QUOTES,
        inputSchema: objectOf({ ...request, idempotencyKey }, ['capability', 'input']),
        outputSchema: objectOf(
          {
            quoteId: text,
            amount: text,
            currency: text,
            breakdown: listOf(objectOf({ label: text, amount: text })),
            expiresAt: text,
          },
          ['quoteId', 'amount', 'currency'],
        ),
      },
      context,
      { caller: keyOf },
    ),
    writingTool(
      runCapability,
      {
        name: 'run_capability',
        title: 'Run a capability',
        description:
          'Runs a capability as a task. Where it has a price give quoteId, maxAmount or both; it costs at most that, and nothing where it fails. While it runs, call get_task after retryAfterSeconds.',
        annotations: REACHES_PROVIDERS,
        inputSchema: objectOf(
          {
            ...request,
            quoteId: textOf('Quote for this same input'),
            maxAmount: textOf('Most to pay, such as "2.40"'),
            contract: textOf('Of the capability as it was read'),
            idempotencyKey,
          },
          ['capability', 'input'],
        ),
        outputSchema: task,
      },
      context,
      { caller: keyOf, taskOf: ({ taskId: id }) => id },
    ),
    readingTool(
      readTask,
      {
        name: 'get_task',
        title: 'Get a task',
        description: 'State, result, error, charge and receipt of a task of this key.',
        annotations: READS,
        inputSchema: objectOf({ taskId }, ['taskId']),
        outputSchema: task,
      },
      context,
      { read: taskIn, caller: keyOf },
    ),
    writingTool(
      cancelTask,
      {
        name: 'cancel_task',
        title: 'Cancel a task',
        description:
          'Ends a task that still runs; nothing is charged. One that has ended stays as it is.',
        annotations: CANCELS,
        inputSchema: objectOf({ taskId, idempotencyKey }, ['taskId']),
        outputSchema: task,
      },
      context,
      { read: taskIn, caller: keyOf },
    ),
  ];
}
