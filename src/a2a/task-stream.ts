import type { StreamResponse, Task } from '@a2a-js/sdk';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import { msToLapse } from '../leads/await-status.ts';
import { readLog } from '../leads/lead-log.ts';
import { waitsOn } from '../leads/lead-waits.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';
import { addressOf, signalOf } from './binding.ts';
import { leadTask } from './lead-task.ts';
import { leadOf } from './outcome.ts';
import { hasEnded } from './task-store.ts';

/** How long a stream lasts at most, less than a release is kept after it was replaced; whoever still waits subscribes again. */
const MOST_MS = 150_000;

/**
 * The events of a task: the task first, then each change of what its lead has come to, whoever makes it, until the task
 * ends. It ends sooner after 150 seconds, when the caller leaves or the service stops, when the lead is erased, and at once
 * where too many callers wait.
 * @throws {DatabaseUnavailable}
 */
export async function* taskEvents(
  task: Task,
  call: ServerCallContext,
  context: Context,
): AsyncGenerator<StreamResponse, void, undefined> {
  yield { payload: { $case: 'task', value: task } };
  const lead = leadOf(task);
  if (lead === null || hasEnded(task)) return;
  const place = waitsOn(context.database).enter(lead, addressOf(call), signalOf(call));
  if (!place) return;
  const end = performance.now() + MOST_MS;
  let last = JSON.stringify(task.status);
  try {
    while (!place.over) {
      const log = await readLog(lead, context);
      const now = context.now();
      const present = await leadTask(task, log, now, context);
      const { id: taskId, contextId, status } = present;
      const said = JSON.stringify(status);
      if (said !== last)
        yield {
          payload: {
            $case: 'statusUpdate',
            value: { taskId, contextId, status, metadata: undefined },
          },
        };
      last = said;
      const left = end - performance.now();
      if (hasEnded(present) || left <= 0) return;
      await place.change(log.entries.length, Math.min(left, msToLapse(log, now)));
    }
  } catch (thrown) {
    if (!(thrown instanceof Problem && thrown.code === 'gone')) throw thrown;
  } finally {
    place.leave();
  }
}
