import type { InputRequest } from '@modelcontextprotocol/server';
import { followLead } from '../leads/status/follow-lead.ts';
import type { LeadStatus } from '../leads/lead-states.ts';
import { type LeadState, sampleLog, statusOf } from '../leads/status/lead-status.ts';
import { withProof } from '../leads/status/proof.ts';
import { readLogNow, receiptOf } from '../leads/status/read-lead-status.ts';
import { receiptUrl } from '../leads/status/receipt.ts';
import { NOTE_LENGTH } from '../leads/change-lead.ts';
import { messageFaults, messageTo, sendMessage } from '../leads/conversation/send-message.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';
import { SANDBOX_TOKEN } from '../operation/tokens.ts';
import { isObject } from '../site/json-object.ts';
import { pointerTo, inputProblem, throwIfAny } from '../operation/validate.ts';
import {
  HAD_ENDED,
  type McpTask,
  type McpTasks,
  type McpTaskStatus,
  structuredResult,
  type TaskCall,
} from './tasks.ts';

/**
 * The state of a task by its lead's state. A refusal is a result like a confirmation: `failed` is
 * for protocol errors, and a declined or expired lead has its answer.
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

const DAY_MS = 86_400_000;
/** Limits of the polling interval for a lead, in ms. */
const MIN_POLL_MS = 2_000;
const MAX_POLL_MS = 60_000;
/**
 * Polling interval as a share of the time since the last change: an active conversation is polled
 * often.
 */
const PAUSE_SHARE = 0.1;

/** A question or an offer that the person answers. */
interface Asked {
  /** Unique in the conversation, and stable for the same question. */
  key: string;
  /** The question, in one or more sentences. */
  text: string;
  request: InputRequest;
  /**
   * The message in a filled form; `place` is the pointer to its values. @throws {Problem}
   * invalid_input
   */
  messageOf: (content: Record<string, unknown>, place: string) => Record<string, unknown>;
}

const decisions = ['accept', 'decline'];

const textField = (title: string, minLength = 0) =>
  ({ type: 'string', title, minLength, maxLength: NOTE_LENGTH }) as const;

const form = (
  message: string,
  properties: Record<string, ReturnType<typeof textField> | { type: 'string'; enum: string[] }>,
  required: string[],
): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
});

/** The open question: everything the provider wrote since the person's last message. */
function questionOf({ messages, notice }: LeadState): Asked {
  const since = messages.findLastIndex(({ from }) => from === 'person') + 1;
  const asked = messages.slice(since).flatMap(({ text = [] }) => text);
  const text = asked.join('\n') || notice;
  return {
    key: `question-${messages.at(-1)?.messageId ?? 'm0'}`,
    text,
    request: form(text, { text: textField('Your answer', 1) }, ['text']),
    messageOf: ({ text: answer }) => ({ text: answer }),
  };
}

/** The open offer. */
function offerOf({
  offerId,
  amount,
  currency,
  description,
  expiresAt,
  confirmOnAccept,
}: NonNullable<LeadState['offer']>): Asked {
  const text = [
    `Offer: ${amount} ${currency}${description === undefined ? '' : `, ${description}`}.`,
    `It can be accepted until ${expiresAt}.`,
    ...(confirmOnAccept ? ['Accepting it confirms the request.'] : []),
  ].join(' ');
  const decision = { type: 'string' as const, title: 'Your decision', enum: decisions };
  return {
    key: `offer-${offerId}`,
    text,
    request: form(text, { decision, text: textField('A note') }, ['decision']),
    messageOf({ decision: act, text: note }, place) {
      if (act !== 'accept' && act !== 'decline')
        throw inputProblem(`${place}/decision`, 'Write accept or decline.', decisions);
      return { [act]: offerId, ...(note !== undefined && note !== '' && { text: note }) };
    },
  };
}

/** The current question to the person; an expired offer is none. */
function askedOf(lead: LeadState): Asked | undefined {
  if (lead.status === 'needs_info') return questionOf(lead);
  return lead.offer && offerOf(lead.offer);
}

/**
 * The state of a lead's task. An ended task keeps its state: a lead withdrawn or declined after its
 * confirmation says so in its result.
 */
function stateOf({ history }: LeadState, asked: Asked | undefined): McpTaskStatus {
  const states = history.map(({ status }) => taskStates[status]);
  const end = states.find((state) => state === 'completed' || state === 'cancelled');
  return end ?? (asked ? 'input_required' : 'working');
}

/** A lead at a time. */
type View = Awaited<ReturnType<typeof readLogNow>>;

/** The lead of a task, or the sandbox lead. @throws {Problem} unknown_receipt, gone */
const viewOf = (taskId: string, context: Context): Promise<View> =>
  readLogNow(receiptOf({ receipt: taskId }), context);

/** The state and the open question of a lead. */
function readingOf({ log, now }: View, { site }: Context) {
  const lead = statusOf(log, now, site);
  const asked = askedOf(lead);
  return { lead, asked, status: stateOf(lead, asked) };
}

/** The task of a lead. */
async function taskOf(
  view: View,
  { showsForms }: Pick<TaskCall, 'showsForms'>,
  context: Context,
): Promise<McpTask> {
  const { lead, asked, status } = readingOf(view, context);
  const { receiptToken: taskId, createdAt, updatedAt } = lead;
  const quiet = view.now.getTime() - Date.parse(updatedAt);
  const parts = {
    taskId,
    statusMessage: [
      ...(asked ? [asked.text] : []),
      lead.notice,
      receiptUrl(context.site.base, taskId),
    ].join(' '),
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs: Date.parse(updatedAt) - Date.parse(createdAt) + view.log.retentionDays * DAY_MS,
    pollIntervalMs: Math.round(Math.min(Math.max(quiet * PAUSE_SHARE, MIN_POLL_MS), MAX_POLL_MS)),
  };
  if (status === 'completed')
    return { ...parts, status, result: structuredResult(await withProof(lead, context)) };
  if (status === 'cancelled') return { ...parts, status };
  return asked && showsForms
    ? { ...parts, status: 'input_required', inputRequests: { [asked.key]: asked.request } }
    : { ...parts, status: 'working' };
}

/**
 * Yields the task of a lead, and again after each change of the lead; if the lead is erased, the
 * task ends as canceled.
 * @throws {Problem} unknown_receipt, gone
 */
async function* watchTask(
  taskId: string,
  call: TaskCall,
  context: Context,
): AsyncGenerator<McpTask, void, undefined> {
  const receipt = receiptOf({ receipt: taskId });
  if (receipt === SANDBOX_TOKEN) {
    yield await taskOf(sampleLog(context.site), call, context);
    return;
  }
  let task: McpTask | undefined;
  try {
    for await (const view of followLead(receipt, call, context)) {
      task = await taskOf(view, call, context);
      yield task;
    }
  } catch (thrown) {
    if (!task || !(thrown instanceof Problem && thrown.code === 'gone')) throw thrown;
    const { createdAt, ttlMs, pollIntervalMs } = task;
    const lastUpdatedAt = context.now().toISOString();
    const parts = { taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs };
    yield { ...parts, status: 'cancelled', statusMessage: thrown.message };
  }
}

/**
 * Sends a message, unless the lead has changed in the meantime, as its new state shows.
 * @throws {Problem}
 */
async function send(
  receipt: string,
  body: Record<string, unknown>,
  key: string,
  { address }: TaskCall,
  context: Context,
): Promise<void> {
  const message = sendMessage.parse(messageTo(receipt, body), context);
  // One answer per question, however often it is sent.
  const idempotencyKey = `mcp-task:${receipt}:${key}`;
  const call = {
    channel: 'mcp' as const,
    idempotencyKey,
    ...(address !== undefined && { address }),
  };
  try {
    await sendMessage.handle(message, call, context);
  } catch (thrown) {
    const hasChanged =
      thrown instanceof Problem && ['conflict', 'idempotency_mismatch'].includes(thrown.code);
    if (!hasChanged) throw thrown;
  }
}

/** Why a task was not canceled, and how its lead can still be withdrawn. */
const endedNotice = ({ receiptToken, next, notice }: LeadState): string =>
  [
    HAD_ENDED,
    notice,
    ...(next.includes('withdraw')
      ? [
          `To withdraw the request, call reply_to_request with {"receiptToken":"${receiptToken}","withdraw":true}.`,
        ]
      : []),
  ].join(' ');

/**
 * The leads of an open endpoint as tasks: the holder of a receipt token can read, answer and
 * withdraw its lead.
 */
export const leadTasks = (context: Context): McpTasks => ({
  get: async (taskId, call) => taskOf(await viewOf(taskId, context), call, context),
  watch: (taskId, call) => watchTask(taskId, call, context),

  async update(taskId, responses, call) {
    const { lead, asked, status } = readingOf(await viewOf(taskId, context), context);
    const response = asked && status === 'input_required' ? responses[asked.key] : undefined;
    // Closing a form is not an answer: it neither accepts nor declines an offer.
    if (!asked || !isObject(response) || response['action'] !== 'accept') return;
    const content = isObject(response['content']) ? response['content'] : {};
    const place = pointerTo('inputResponses', asked.key, 'content');
    const body = asked.messageOf(content, place);
    throwIfAny(
      messageFaults(body).map((fault) => ({ ...fault, pointer: `${place}${fault.pointer}` })),
    );
    await send(lead.receiptToken, body, asked.key, call, context);
  },

  async cancel(taskId, call) {
    const { lead, status } = readingOf(await viewOf(taskId, context), context);
    if (status === 'working' || status === 'input_required') {
      await send(lead.receiptToken, { withdraw: true }, 'withdrawal', call, context);
      return undefined;
    }
    return endedNotice(lead);
  },
});
