import type { AuthInfo } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import type { ActiveKey } from '../operation/operation.ts';
import { cancelTask } from '../capabilities/cancel-task.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';
import { readTask } from '../capabilities/read-task.ts';
import { quoteSchema } from '../capabilities/quote-record.ts';
import { requestQuote } from '../capabilities/request-quote.ts';
import { runCapability } from '../capabilities/run-capability.ts';
import { taskSchema } from '../capabilities/task-record.ts';
import { authorizeCapabilityRequest } from '../capabilities/capability-request.ts';
import { allowsCapability } from '../keys/key-scopes.ts';
import { memberOf } from '../site/json-object.ts';
import { withExpectation } from '../operation/validate.ts';
import {
  type IsAllowedCapability,
  createGetCapabilityTool,
  createSearchCapabilitiesTool,
} from './catalog-tools.ts';
import {
  idempotencyKeySchema,
  createObjectSchema,
  createReadTool,
  createStringSchema,
  createWriteTool,
} from './operation-tool.ts';
import {
  createOutputSchema,
  type McpTool,
  readArguments,
  PROVIDER_ANNOTATIONS,
  READ_ANNOTATIONS,
  REPLAYED_TEXT,
  type ToolAnnotations,
  type ToolCall,
  WRITE_ANNOTATIONS,
} from './tool.ts';

const CANCEL_ANNOTATIONS: ToolAnnotations = {
  ...PROVIDER_ANNOTATIONS,
  destructiveHint: true,
  idempotentHint: true,
};

/** The key that the bearer check attached to the call. @throws {Problem} unauthorized */
export function requireKey({ authInfo }: ToolCall): ActiveKey {
  const key = authInfo?.extra?.['key'] as ActiveKey | undefined;
  if (!key)
    throw new Problem('unauthorized', 'Send a key in the header Authorization: Bearer <API_KEY>.');
  return key;
}

export const toAuthInfo = (key: ActiveKey): AuthInfo => ({
  token: key.id,
  clientId: key.id,
  scopes: [...key.scopes],
  ...(key.expiresAt !== null && { expiresAt: Math.floor(Date.parse(key.expiresAt) / 1000) }),
  extra: { key },
});

const requestProperties = {
  capability: createStringSchema('ID from search_capabilities'),
  input: { type: 'object', description: 'Matches the inputSchema from get_capability' },
};
const taskIdSchema = createStringSchema('From run_capability');
const taskOutputSchema = createOutputSchema(taskSchema);

/**
 * Tools that search and read the catalog, limited to the capabilities that a key's scopes allow.
 */
function createScopedCatalogTools(context: Context): McpTool[] {
  const { site } = context;
  const isAllowed: IsAllowedCapability = ({ id }, call) =>
    allowsCapability(requireKey(call).scopes, id);
  const getCapabilityTool = createGetCapabilityTool(site, isAllowed);
  return [
    createSearchCapabilitiesTool(context, isAllowed),
    {
      ...getCapabilityTool,
      call(args, call) {
        authorizeCapabilityRequest({ capability: memberOf(args, 'id') }, call, context);
        return getCapabilityTool.call(args, call);
      },
    },
  ];
}

const taskArguments = v.strictObject({
  taskId: v.pipe(v.string(), withExpectation('Send the taskId that run_capability returned.')),
});

/** Reads the taskId argument of a task tool. @throws {Problem} invalid_input */
const readTaskId = (args: unknown): { id: string } => ({
  id: readArguments(taskArguments, args).taskId,
});

/** The six tools of /api/v1/agent-mcp; each shows and accepts only what the key's scopes allow. */
export function createAgentTools(context: Context): McpTool[] {
  return [
    ...createScopedCatalogTools(context),
    createWriteTool(
      requestQuote,
      {
        name: 'request_quote',
        title: 'Request a quote',
        description:
          'Prices a capability for one exact input, with a breakdown; free ones quote 0.00. Nothing runs.',
        annotations: WRITE_ANNOTATIONS,
        replayedText: REPLAYED_TEXT,
        inputSchema: createObjectSchema(
          { ...requestProperties, idempotencyKey: idempotencyKeySchema },
          ['capability', 'input'],
        ),
        outputSchema: createOutputSchema(quoteSchema),
      },
      context,
    ),
    createWriteTool(
      runCapability,
      {
        name: 'run_capability',
        title: 'Run a capability',
        description:
          'Runs a capability as a task. If it has a price, send quoteId, maxAmount or both; it costs at most that, and nothing if it fails. While it runs, call get_task after retryAfterSeconds.',
        annotations: PROVIDER_ANNOTATIONS,
        inputSchema: createObjectSchema(
          {
            ...requestProperties,
            quoteId: createStringSchema('Quote for the same input'),
            maxAmount: createStringSchema('Maximum to pay, such as "2.40"'),
            contract: createStringSchema('From get_capability'),
            idempotencyKey: idempotencyKeySchema,
          },
          ['capability', 'input'],
        ),
        outputSchema: taskOutputSchema,
      },
      context,
      { taskOf: ({ taskId: id }) => id },
    ),
    createReadTool(
      readTask,
      {
        name: 'get_task',
        title: 'Get a task',
        description: 'State, result, error, charge and receipt of a task that this key submitted.',
        annotations: READ_ANNOTATIONS,
        inputSchema: createObjectSchema({ taskId: taskIdSchema }, ['taskId']),
        outputSchema: taskOutputSchema,
      },
      context,
      { read: readTaskId },
    ),
    createWriteTool(
      cancelTask,
      {
        name: 'cancel_task',
        title: 'Cancel a task',
        description:
          'Cancels a running task; nothing is charged. A task that has ended is unchanged, and a request that it submitted is not canceled: withdraw it with its receipt token.',
        annotations: CANCEL_ANNOTATIONS,
        inputSchema: createObjectSchema(
          { taskId: taskIdSchema, idempotencyKey: idempotencyKeySchema },
          ['taskId'],
        ),
        outputSchema: taskOutputSchema,
      },
      context,
      { read: readTaskId },
    ),
  ];
}
