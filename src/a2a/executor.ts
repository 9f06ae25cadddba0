import { randomUUID } from 'node:crypto';
import {
  AgentEvent,
  type AgentExecutionEvent,
  type AgentExecutor,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { captureLead } from '../leads/capture-lead.ts';
import type { Context } from '../operation/context.ts';
import type { Call, Outcome } from '../operation/operation.ts';
import type { Problem, ProblemCode } from '../operation/problem.ts';
import type { Receipt } from '../leads/receipt.ts';
import { messageFaults } from '../leads/send-message.ts';
import { submitAction } from '../leads/submit-action.ts';
import { refuseIfAny } from '../operation/validate.ts';
import { isObject } from '../site/json-object.ts';
import { countQuestion } from '../operation/question-budget.ts';
import { callWithKey } from '../http/keyed-call.ts';
import { addressOf, callbackKeyOf } from './binding.ts';
import { failWith } from './faults.ts';
import { knowledgeAnswer } from './knowledge-answer.ts';
import { sendTextBeside } from './lead-reply.ts';
import { keyOf, type MessageContent } from './message-content.ts';
import { filedTask, unfitTask, waitingTask } from './outcome.ts';
import { agentMessage, type Place } from './parts.ts';
import { countTask, uncountTask } from './task-budget.ts';

/**
 * Where a call keeps what its message says: the SDK, which stores messages, is given them without.
 */
export const CONTENT = 'content';

/** Problems that another message to the same task can correct. */
const correctable: ReadonlySet<ProblemCode> = new Set([
  'invalid_input',
  'idempotency_mismatch',
  'in_flight',
  'conflict',
  'contract_changed',
  'gone',
]);

/**
 * Files what a data part asks for: an action, or a plain lead where it has an email address
 * instead.
 */
function file(
  data: unknown,
  messageId: string,
  caller: Pick<Call, 'address' | 'callbackKey'>,
  context: Context,
): Promise<Outcome<Receipt>> {
  const operation = isObject(data) && Object.hasOwn(data, 'email') ? captureLead : submitAction;
  return callWithKey(
    operation,
    data,
    { ...caller, channel: 'a2a', idempotencyKey: keyOf(messageId, '', data) },
    context,
  );
}

/**
 * Answers a message at once: a data part files a lead, whose state the task has from then on and
 * whose first message is the text beside it, a
 * fault of it leaves the task waiting, and a question is answered with a message. A failure on our
 * side is not a task state: it ends the call.
 */
export function networkExecutor(
  context: Context,
  problemOf: (thrown: unknown) => Problem,
): AgentExecutor {
  const { site } = context;

  async function answer({
    userMessage,
    taskId,
    contextId,
    task,
    context: call,
  }: RequestContext): Promise<AgentExecutionEvent> {
    const content = call.state.get(CONTENT) as MessageContent;
    const place: Place = { messageId: randomUUID(), taskId, contextId };
    const at = context.now().toISOString();
    const address = addressOf(call);
    const caller = { address, callbackKey: callbackKeyOf(call) };
    try {
      if (content.kind === 'question') {
        if (task) return AgentEvent.task(waitingTask(place, at));
        await countQuestion(content.text, { address }, context);
        return AgentEvent.message(
          agentMessage({ ...place, taskId: '' }, knowledgeAnswer(site, content.text)),
        );
      }
      if (content.text) refuseIfAny(messageFaults({ text: content.text }));
      if (!task) await countTask(taskId, address, context);
      const { messageId } = userMessage;
      const outcome = await file(content.data, messageId, caller, context);
      await sendTextBeside(outcome.output, content.text, { messageId, address }, context);
      return AgentEvent.task(filedTask(place, outcome, at));
    } catch (thrown) {
      const problem = problemOf(thrown);
      // A key that belongs to another request starts no task, just as it files no lead through
      // other channels.
      if (correctable.has(problem.code) && (task || problem.code !== 'idempotency_mismatch'))
        return AgentEvent.task(unfitTask(place, problem, site.base, at));
      // A count that cannot be returned lapses in a day.
      if (!task) await uncountTask(taskId, context).catch(() => undefined);
      failWith(problem, call);
      return AgentEvent.message(agentMessage(place, []));
    }
  }

  return {
    async execute(request, bus) {
      bus.publish(await answer(request));
    },
    // Each message is finished before another request about its task begins.
    async cancelTask() {},
  };
}
