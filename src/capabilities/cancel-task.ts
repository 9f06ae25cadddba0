import { memberOf } from '../site/json-object.ts';
import { adapters } from './adapters/index.ts';
import { capabilityCatalogOf } from './capability-catalog.ts';
import { endTask } from './end-task.ts';
import { reserveKey, idempotencyParameter } from '../operation/idempotency.ts';
import { digestCanonicalJson } from '../operation/canonical-digest.ts';
import { defineOperation } from '../operation/operation.ts';
import { createTaskDescription, readOwnTask } from './read-task.ts';
import { type Task, toTask } from './task-record.ts';

/** Cancels a running task and refunds its credits; a finished task is unchanged. */
export const cancelTask = defineOperation<{ id: string }, Task>({
  name: 'cancel-task',
  summary: 'Cancel a task',
  description:
    'Cancels a running task; nothing is charged. A task that has ended does not change, so the call may be repeated. A request that the task submitted is not canceled: withdraw it with its receipt token.',
  method: 'POST',
  path: '/api/v1/tasks/{id}/cancel',
  problems: ['invalid_input', 'unauthorized', 'not_found', 'idempotency_mismatch'],
  requiresKey: true,
  hasNoBody: true,
  describe(site) {
    const { accepted: _, ...description } = createTaskDescription(site);
    return { ...description, parameters: [...description.parameters, idempotencyParameter] };
  },
  parse: (value) => ({ id: String(memberOf(value, 'id')) }),

  async handle({ id }, call, context) {
    const row = await readOwnTask(id, call, context);
    const replayed =
      call.idempotencyKey !== undefined &&
      (await reserveKey(
        {
          scope: `cancel ${row.key}`,
          key: call.idempotencyKey,
          digest: digestCanonicalJson({ id }),
        },
        id,
        context,
      ));
    const canceled =
      row.endedAt === null ? await endTask(row, { kind: 'canceled' }, context) : undefined;
    const adapter = capabilityCatalogOf(context.site).get(row.capability)?.adapter;
    // Do not wait, because the provider's response does not affect the caller.
    if (canceled && adapter)
      void adapters[adapter].cancelJob?.({ taskId: id, job: canceled.job }, context);
    // A task that was running has now ended, because of this call or on its own.
    const currentRow = row.endedAt === null ? await readOwnTask(id, call, context) : row;
    return { output: toTask(currentRow, context), replayed };
  },
});
