import { eq } from 'drizzle-orm';
import * as v from 'valibot';
import { createMaxLengthCheck } from '../fields/text-length.ts';
import { tasks } from '../../db/schema-capabilities.ts';
import { acceptPrice, createQuoteAcceptedProblem } from './accept-price.ts';
import { callerOf, requireScope } from '../keys/authenticate-key.ts';
import { BODY_LIMIT_TEXT, MAX_CAPABILITY_BODY_BYTES } from '../operation/body-limits.ts';
import { buildCapabilityExample, findSampleCapabilityId } from './capability-catalog.ts';
import {
  type CapabilityRequest,
  authorizeCapabilityRequest,
  capabilityRequestEntries,
  parseCapabilityRequest,
} from './capability-request.ts';
import type { Context } from '../operation/context.ts';
import {
  createIntent,
  idempotencyParameter,
  KEY_PATTERN,
  KEY_RULE,
  runOnce,
  findStoredResponse,
} from '../operation/idempotency.ts';
import { jsonSchemaOf } from '../operation/json-schema.ts';
import { contractParameter, contractSchema, requireContract } from '../leads/submit/contracts.ts';
import { leadProblems } from '../leads/submit/lead-channels.ts';
import { digestCanonicalJson } from '../operation/canonical-digest.ts';
import { AMOUNT_PATTERN } from './money.ts';
import { planTask, writeTask } from './new-task.ts';
import { defineOperation, type Outcome } from '../operation/operation.ts';
import { STILL_RUNNING_TEXT } from './read-task.ts';
import {
  createSampleTask,
  createTaskOutcome,
  type Task,
  type TaskRow,
  taskSchema,
} from './task-record.ts';
import { createInputProblem, withExpectation } from '../operation/validate.ts';

const requestSchema = v.strictObject({
  ...capabilityRequestEntries,
  quoteId: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1),
      createMaxLengthCheck(100),
      withExpectation('Enter the ID of a quote.'),
      v.description('ID of the quote to accept; the input must be the quoted input.'),
    ),
  ),
  maxAmount: v.optional(
    v.pipe(
      v.string(),
      v.regex(new RegExp(AMOUNT_PATTERN)),
      withExpectation('Enter an amount as a decimal string, for example "2.40".'),
      v.description(
        'Binding maximum that may be charged, as a decimal string; defaults to the amount in the quote.',
      ),
    ),
  ),
  contract: v.optional(contractSchema),
  idempotencyKey: v.optional(
    v.pipe(
      v.string(),
      v.regex(new RegExp(KEY_PATTERN)),
      withExpectation(KEY_RULE),
      v.description('Repeated requests with the same key and input return the same task.'),
    ),
  ),
});

export type RunRequest = CapabilityRequest &
  Omit<v.InferOutput<typeof requestSchema>, keyof typeof capabilityRequestEntries>;

/**
 * The idempotency key of a request, in its body or its header. @throws {Problem} invalid_input for
 * two keys
 */
function chooseKey(bodyKey: string | undefined, headerKey: string | undefined): string | undefined {
  if (bodyKey !== undefined && headerKey !== undefined && bodyKey !== headerKey)
    throw createInputProblem(
      '/idempotencyKey',
      'This key differs from the one in the Idempotency-Key header. Send one of the two.',
    );
  return bodyKey ?? headerKey;
}

async function readTaskRow(id: string, { database }: Context): Promise<TaskRow | undefined> {
  const [row] = await database.writer.select().from(tasks).where(eq(tasks.id, id));
  return row;
}

/**
 * Runs a capability: immediately if its adapter can, otherwise in the background until its provider
 * has finished.
 */
export const runCapability = defineOperation<RunRequest, Task>({
  name: 'run-capability',
  summary: 'Run a capability',
  description:
    'Runs a capability as a task: 200 if it has ended, 202 while it is running. It costs at most the accepted price; a task that fails, is canceled or is rejected costs nothing. If it is rejected, or fails with provider_unavailable, its quote stays open. ' +
    BODY_LIMIT_TEXT,
  method: 'POST',
  path: '/api/v1/tasks',
  // A capability may create a lead, so any problem with a lead can occur.
  problems: leadProblems,
  requiresKey: true,
  maxBodyBytes: MAX_CAPABILITY_BODY_BYTES,

  describe(site) {
    const sample = findSampleCapabilityId(site);
    return {
      parameters: [idempotencyParameter, contractParameter],
      request: { $ref: '#/components/schemas/TaskRequest' },
      ...buildCapabilityExample('task', site),
      response: { $ref: '#/components/schemas/Task' },
      accepted: STILL_RUNNING_TEXT,
      ...(sample && { responseExample: createSampleTask(site, sample) }),
      components: { TaskRequest: jsonSchemaOf(requestSchema), Task: jsonSchemaOf(taskSchema) },
    };
  },

  authorize: authorizeCapabilityRequest,
  parse(value, context) {
    const { body, request } = parseCapabilityRequest(requestSchema, value, context);
    return { ...body, ...request };
  },

  handle(submittedRequest, call, context) {
    const key = callerOf(call, context);
    requireScope(key, submittedRequest.capability.id);
    const idempotencyKey = chooseKey(submittedRequest.idempotencyKey, call.idempotencyKey);
    const runRequest = { ...submittedRequest, idempotencyKey };
    const { capability, input, quoteId = null, maxAmount = null } = runRequest;
    const inputDigest = digestCanonicalJson(input);
    const caller = { key, address: call.address };
    const accepted = { capability: capability.id, input, quoteId, maxAmount };
    const intent = createIntent(`task ${key.id}`, idempotencyKey, accepted);

    const replay = async (): Promise<Outcome<Task> | undefined> => {
      const earlierResponse =
        intent && (await findStoredResponse<{ taskId: string }>(intent, context));
      const row = earlierResponse && (await readTaskRow(earlierResponse.output.taskId, context));
      return row && createTaskOutcome(row, true, context);
    };

    return runOnce(intent, context, async () => {
      const earlierOutcome = await replay();
      if (earlierOutcome) return earlierOutcome;
      const { subsite, action = null } = capability;
      const { contract } = submittedRequest;
      await requireContract({ action, subsite, contract }, call, context);
      const acceptedPrice = await acceptPrice(runRequest, key.id, inputDigest, context);
      const row = await planTask(runRequest, acceptedPrice, inputDigest, caller, context);
      if (await writeTask(row, intent, context))
        return createTaskOutcome(
          row.amount > 0 ? (await readTaskRow(row.id, context))! : row,
          false,
          context,
        );
      const concurrentOutcome = await replay();
      if (concurrentOutcome) return concurrentOutcome;
      throw createQuoteAcceptedProblem();
    });
  },
});
