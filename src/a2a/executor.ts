import { randomUUID } from 'node:crypto';
import {
  AgentEvent,
  type AgentExecutionEvent,
  type AgentExecutor,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { captureLead } from '../leads/submit/capture-lead.ts';
import type { Context } from '../operation/context.ts';
import type { Call, Outcome } from '../operation/operation.ts';
import type { Problem } from '../operation/problem.ts';
import type { Receipt } from '../leads/status/receipt.ts';
import { findMessageFaults } from '../leads/conversation/customer-message.ts';
import { submitAction } from '../leads/submit/submit-action.ts';
import { throwIfAnyFaults } from '../operation/validate.ts';
import { isObject } from '../site/json-object.ts';
import { countQuestion } from '../operation/question-budget.ts';
import { callWithKey } from '../http/keyed-call.ts';
import { stateOf } from './binding.ts';
import { failWith } from './faults.ts';
import { answerQuestion } from './knowledge-answer.ts';
import { sendAccompanyingText } from './lead-reply.ts';
import { deriveMessageKey } from './message-content.ts';
import { createTaskWithReceipt, createCorrectionTask, createWaitingTask } from './outcome.ts';
import { createAgentMessage, type MessageIds } from './parts.ts';
import { isCorrectable } from './problems.ts';
import { recordTaskUse, releaseTaskBudget } from './task-budget.ts';

/**
 * Submits the request in a data part: as a plain lead if it has an email address but neither a
 * subsite nor fields; otherwise, as an action.
 */
function submitLead(
  data: unknown,
  messageId: string,
  caller: Pick<Call, 'address' | 'key' | 'getCallbackKey'>,
  context: Context,
): Promise<Outcome<Receipt>> {
  const has = (name: string) => isObject(data) && Object.hasOwn(data, name);
  const operation = has('email') && !has('subsite') && !has('fields') ? captureLead : submitAction;
  return callWithKey(
    operation,
    data,
    { ...caller, channel: 'a2a', idempotencyKey: deriveMessageKey(messageId, '', data, caller) },
    context,
  );
}

/**
 * Answers a message immediately. A data part creates a lead; the task then follows the lead's
 * state, and text sent with the data becomes the lead's first message. After invalid data, the task
 * waits for a correction. A question gets a message in reply. An internal error makes the call
 * fail, because it is not a task state.
 */
export function createNetworkExecutor(
  context: Context,
  toProblem: (thrown: unknown) => Problem,
): AgentExecutor {
  const { site } = context;

  async function answer({
    userMessage,
    taskId,
    contextId,
    task,
    context: call,
  }: RequestContext): Promise<AgentExecutionEvent> {
    const state = stateOf(call);
    const content = state.content!;
    const ids: MessageIds = { messageId: randomUUID(), taskId, contextId };
    const time = context.now().toISOString();
    const { address, key, getCallbackKey } = state.caller;
    const caller = { address, getCallbackKey, ...(key && { key }) };
    let isCounted = false;
    try {
      if (content.kind === 'question') {
        if (task) return AgentEvent.task(createWaitingTask(ids, time));
        await countQuestion(content.text, caller, context);
        return AgentEvent.message(
          createAgentMessage({ ...ids, taskId: '' }, answerQuestion(site, content)),
        );
      }
      if (content.text) throwIfAnyFaults(findMessageFaults({ text: content.text }));
      if (!task) {
        await recordTaskUse(taskId, caller, context);
        isCounted = true;
      }
      const { messageId } = userMessage;
      const outcome = await submitLead(content.data, messageId, caller, context);
      const sending = sendAccompanyingText(outcome.output, content.text, messageId, context);
      await sending.catch((thrown: unknown) => {
        // The lead is stored, so the task must not ask for the data again.
        const problem = toProblem(thrown);
        if (!isCorrectable(problem.code, !task)) throw thrown;
        state.unsentTextReason = problem.message;
      });
      // A sandbox task is not stored.
      if (isCounted && outcome.output.sandbox) await releaseTaskBudget(taskId, context);
      return AgentEvent.task(createTaskWithReceipt(ids, outcome, time));
    } catch (thrown) {
      const problem = toProblem(thrown);
      if (isCorrectable(problem.code, !task))
        return AgentEvent.task(createCorrectionTask(ids, problem, site.base, time));
      // If this fails, the count expires after a day.
      if (isCounted) await releaseTaskBudget(taskId, context).catch(() => undefined);
      failWith(problem, call);
      return AgentEvent.message(createAgentMessage(ids, []));
    }
  }

  return {
    async execute(request, bus) {
      bus.publish(await answer(request));
    },
    // Each message is processed completely before another request about its task begins.
    async cancelTask() {},
  };
}
