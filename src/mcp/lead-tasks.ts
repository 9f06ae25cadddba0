import type { InputRequest } from '@modelcontextprotocol/server';
import { followLead } from '../leads/status/follow-lead.ts';
import { readLog } from '../leads/lead-log.ts';
import { isEnded, type LeadStatus } from '../leads/lead-states.ts';
import {
  ENDED_REQUEST_TEXT,
  createConfirmedRequestText,
  renderOpenOffer,
  renderPhone,
} from '../leads/conversation/conversation.ts';
import { type LeadState, statusOf } from '../leads/status/lead-status.ts';
import { createSampleLog, isSandboxToken, readLogWithTime } from '../leads/status/sample-lead.ts';
import { renderUnansweredMessages } from '../leads/status/unanswered-messages.ts';
import { withProof } from '../leads/status/proof.ts';
import { parseReceiptToken } from '../leads/status/read-lead-status.ts';
import { createReceiptUrl } from '../leads/status/receipt.ts';
import { MAX_NOTE_LENGTH } from '../leads/write-entry.ts';
import { findMessageFaults, parseMessage } from '../leads/conversation/customer-message.ts';
import { cancelRequest, sendMessage } from '../leads/conversation/send-message.ts';
import type { Context } from '../operation/context.ts';
import { isGone, Problem } from '../operation/problem.ts';
import { isObject } from '../site/json-object.ts';
import { formatPointer } from '../operation/json-pointer.ts';
import {
  createInputProblem,
  createMissingNameFault,
  throwIfAnyFaults,
} from '../operation/validate.ts';
import {
  ALREADY_ENDED_TEXT,
  type McpTask,
  type McpTasks,
  type McpTaskStatus,
  type TaskCall,
} from './tasks.ts';
import { createStructuredResult } from './tool.ts';
import { computeEraseTime } from '../leads/erase/erase-time.ts';

/**
 * The task state for each lead state. A rejection is a result, just like a confirmation: `failed`
 * is for protocol errors, and a declined or expired lead has a final answer.
 */
const taskStates: Readonly<Record<LeadStatus, McpTaskStatus>> = {
  new: 'working',
  acknowledged: 'working',
  needs_info: 'input_required',
  quoted: 'input_required',
  accepted: 'working',
  confirmed: 'completed',
  declined: 'completed',
  withdrawn: 'cancelled',
  expired: 'completed',
  erased: 'cancelled',
};

/** Polling interval for a lead in ms. Providers are people, so their answers take time. */
const POLL_MS = 60_000;

interface OpenQuestion {
  /** Unique within the conversation, and always the same for the same question. */
  key: string;
  request: InputRequest;
  /**
   * Converts an answer to the body of a reply; `place` is the pointer to its values.
   * @throws {Problem} invalid_input
   */
  messageOf: (content: Record<string, unknown>, place: string) => Record<string, unknown>;
}

const decisions = ['accept', 'decline'];

const createTextField = (title: string, minLength = 0) =>
  ({ type: 'string', title, minLength, maxLength: MAX_NOTE_LENGTH }) as const;

const form = (
  message: string,
  properties: Record<
    string,
    ReturnType<typeof createTextField> | { type: 'string'; enum: string[] }
  >,
  required: string[],
): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
});

function createProviderQuestion(
  { messages, notice }: LeadState,
  texts: readonly string[],
): OpenQuestion {
  return {
    key: `question-${messages.at(-1)?.messageId ?? 'm0'}`,
    request: form(texts.join('\n') || notice, { text: createTextField('Your answer', 1) }, [
      'text',
    ]),
    messageOf({ text: answer }, place) {
      if (answer === undefined)
        throwIfAnyFaults([createMissingNameFault(`${place}/text`, 'Enter your answer as text.')]);
      return { text: answer };
    },
  };
}

/** The open offer, preceded by the provider's messages. */
function createOfferQuestion(
  offer: NonNullable<LeadState['offer']>,
  texts: readonly string[],
): OpenQuestion {
  const { offerId } = offer;
  const decision = { type: 'string' as const, title: 'Your decision', enum: decisions };
  return {
    key: `offer-${offerId}`,
    request: form(
      [...texts, ...renderOpenOffer(offer)].join('\n'),
      { decision, text: createTextField('A note') },
      ['decision'],
    ),
    messageOf({ decision, text: note }, place) {
      if (decision !== 'accept' && decision !== 'decline')
        throw createInputProblem(`${place}/decision`, 'Send accept or decline.', decisions);
      return { [decision]: offerId, ...(note !== undefined && note !== '' && { text: note }) };
    },
  };
}

/** The open question or offer; undefined if there is none, or if the offer has expired. */
function openQuestionOf(lead: LeadState, texts: readonly string[]): OpenQuestion | undefined {
  if (lead.status === 'needs_info') return createProviderQuestion(lead, texts);
  return lead.offer && createOfferQuestion(lead.offer, texts);
}

/**
 * The state of a lead's task. An ended task keeps its state; if the lead was withdrawn or declined
 * after its confirmation, the task's result shows that.
 */
function taskStatusOf({ history }: LeadState, question: OpenQuestion | undefined): McpTaskStatus {
  const states = history.map(({ status }) => taskStates[status]);
  const end = states.find((state) => state === 'completed' || state === 'cancelled');
  return end ?? (question ? 'input_required' : 'working');
}

/** A lead's log, and the time when it was read. */
type TimedLog = Awaited<ReturnType<typeof readLogWithTime>>;

/** The lead of a task, or the sandbox lead. @throws {Problem} unknown_receipt, gone */
const readTaskLog = (taskId: string, context: Context): Promise<TimedLog> =>
  readLogWithTime(parseReceiptToken({ receipt: taskId }), context);

/** The state of a lead, the unanswered messages from the provider, and the open question. */
function stateOf({ log, now }: TimedLog, { site }: Context) {
  const lead = statusOf(log, now, site);
  const texts = renderUnansweredMessages(log.entries, lead.offer?.offerId);
  const question = openQuestionOf(lead, texts);
  return { lead, texts, question, status: taskStatusOf(lead, question) };
}

async function taskOf(
  timedLog: TimedLog,
  { supportsForms }: Pick<TaskCall, 'supportsForms'>,
  context: Context,
): Promise<McpTask> {
  const { lead, texts, question, status } = stateOf(timedLog, context);
  const { receiptToken: taskId, createdAt, updatedAt } = lead;
  const parts = {
    taskId,
    statusMessage: [
      ...texts,
      ...(lead.offer ? renderOpenOffer(lead.offer) : []),
      `${lead.notice} ${renderPhone(lead)} ${createReceiptUrl(context.site.base, taskId)}`,
    ].join('\n'),
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs:
      Date.parse(computeEraseTime(timedLog.log, new Date(updatedAt), context.site.registry)) -
      Date.parse(createdAt),
    pollIntervalMs: POLL_MS,
  };
  if (status === 'completed')
    return { ...parts, status, result: createStructuredResult(await withProof(lead, context)) };
  if (status === 'cancelled') return { ...parts, status };
  return question && supportsForms
    ? { ...parts, status: 'input_required', inputRequests: { [question.key]: question.request } }
    : { ...parts, status: 'working' };
}

/**
 * Yields the task of a lead immediately, and again after each change to the lead; if the lead is
 * erased, the task ends as canceled.
 * @throws {Problem} unknown_receipt, gone
 */
async function* watchTask(
  taskId: string,
  call: TaskCall,
  context: Context,
): AsyncGenerator<McpTask, void, undefined> {
  const receiptToken = parseReceiptToken({ receipt: taskId });
  if (isSandboxToken(receiptToken)) {
    yield await taskOf(createSampleLog(context.site, receiptToken), call, context);
    return;
  }
  let task: McpTask | undefined;
  try {
    for await (const timedLog of followLead(receiptToken, call, context)) {
      task = await taskOf(timedLog, call, context);
      yield task;
    }
  } catch (thrown) {
    if (!task || !isGone(thrown)) throw thrown;
    const { createdAt, ttlMs, pollIntervalMs } = task;
    const lastUpdatedAt = context.now().toISOString();
    const parts = { taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs };
    yield { ...parts, status: 'cancelled', statusMessage: thrown.message };
  }
}

/**
 * Sends a message. If the lead has since changed, nothing is sent, and the result says so; the
 * lead's new state shows why.
 * @throws {Problem}
 */
async function send(
  receiptToken: string,
  body: Record<string, unknown>,
  key: string,
  { address, key: callerKey }: TaskCall,
  context: Context,
): Promise<string | undefined> {
  const message = parseMessage(receiptToken, body);
  // A question gets only one answer, no matter how often the answer is sent.
  const idempotencyKey = `mcp-task:${receiptToken}:${key}`;
  const call = {
    channel: 'mcp' as const,
    idempotencyKey,
    ...(address !== undefined && { address }),
    ...(callerKey && { key: callerKey }),
  };
  try {
    await sendMessage.handle(message, call, context);
    return undefined;
  } catch (thrown) {
    const hasChanged =
      thrown instanceof Problem && ['conflict', 'idempotency_mismatch'].includes(thrown.code);
    if (!hasChanged) throw thrown;
    return `${NOT_SENT_TEXT} the task has changed in the meantime. ${READ_TASK_TEXT}`;
  }
}

const NOT_SENT_TEXT = 'Nothing was sent:';
const READ_TASK_TEXT = 'Read it with tasks/get.';

/** Why a task was not canceled, and what can still be done about its lead. */
const createEndedNotice = ({ receiptToken, status, next, notice }: LeadState): string =>
  [
    ALREADY_ENDED_TEXT,
    notice,
    ...(next.includes('withdraw')
      ? [createConfirmedRequestText('call reply_to_request with', { receiptToken })]
      : isEnded(status)
        ? [ENDED_REQUEST_TEXT]
        : []),
  ].join(' ');

/** Leads as tasks: the holder of a receipt token can read, answer and withdraw its lead. */
export const createLeadTasks = (context: Context): McpTasks => ({
  get: async (taskId, call) => taskOf(await readTaskLog(taskId, context), call, context),
  watch: (taskId, call) => watchTask(taskId, call, context),

  async update(taskId, responses, call) {
    const { lead, question, status } = stateOf(await readTaskLog(taskId, context), context);
    if (!question || status !== 'input_required')
      return `${NOT_SENT_TEXT} the task asks for nothing at the moment. ${READ_TASK_TEXT}`;
    const response = responses[question.key];
    if (response === undefined)
      return `${NOT_SENT_TEXT} the open request is ${question.key}. ${READ_TASK_TEXT}`;
    // Closing a form is not an answer: it neither accepts nor declines an offer.
    if (!isObject(response) || response['action'] !== 'accept') return undefined;
    const content = isObject(response['content']) ? response['content'] : {};
    const place = formatPointer('inputResponses', question.key, 'content');
    const body = question.messageOf(content, place);
    throwIfAnyFaults(
      findMessageFaults(body).map((fault) => ({ ...fault, pointer: `${place}${fault.pointer}` })),
    );
    return send(lead.receiptToken, body, question.key, call, context);
  },

  async cancel(taskId) {
    const { lead, status } = stateOf(await readTaskLog(taskId, context), context);
    if (status !== 'working' && status !== 'input_required') return createEndedNotice(lead);
    try {
      await cancelRequest(lead.receiptToken, { channel: 'mcp' }, context);
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof Problem && thrown.code === 'conflict')) throw thrown;
      const current = await readLogWithTime(lead.receiptToken, context, readLog);
      return createEndedNotice(stateOf(current, context).lead);
    }
  },
});
