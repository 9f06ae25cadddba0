import type { StreamResponse, Task } from '@a2a-js/sdk';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import { followLead } from '../leads/status/follow-lead.ts';
import type { Context } from '../operation/context.ts';
import { isGone } from '../operation/problem.ts';
import { stateOf } from './binding.ts';
import { createLeadTask } from './lead-task.ts';
import { leadOf } from './outcome.ts';
import { hasEnded } from './task-store.ts';

/**
 * The events of a task: the task first, then each change that either side makes to its lead, until
 * the task ends. The stream also ends after 150 seconds, when the caller disconnects, when the
 * service stops, when the lead is erased, and immediately if too many callers wait.
 * @throws {DatabaseUnavailableError}
 */
export async function* streamTaskEvents(
  task: Task,
  call: ServerCallContext,
  context: Context,
): AsyncGenerator<StreamResponse, void, undefined> {
  yield { payload: { $case: 'task', value: task } };
  const receiptToken = leadOf(task);
  if (receiptToken === null || hasEnded(task)) return;
  let lastStatusJson = JSON.stringify(task.status);
  const { caller } = stateOf(call);
  try {
    for await (const { log, now } of followLead(receiptToken, caller, context)) {
      const currentTask = await createLeadTask(task, log, now, context);
      const { id: taskId, contextId, status } = currentTask;
      const statusJson = JSON.stringify(status);
      if (statusJson !== lastStatusJson)
        yield {
          payload: {
            $case: 'statusUpdate',
            value: { taskId, contextId, status, metadata: undefined },
          },
        };
      lastStatusJson = statusJson;
      if (hasEnded(currentTask)) return;
    }
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
  }
}
