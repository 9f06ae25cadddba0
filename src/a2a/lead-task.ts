import { type Artifact, type Message, Role, type Task, TaskState } from '@a2a-js/sdk';
import type { LeadLog } from '../leads/lead-log.ts';
import type { LeadStatus } from '../leads/lead-states.ts';
import { type LeadState, statusOf } from '../leads/lead-status.ts';
import { withProof } from '../leads/proof.ts';
import type { Receipt } from '../leads/receipt.ts';
import type { Context } from '../operation/context.ts';
import { receiptIn, receiptParts } from './outcome.ts';
import { agentMessage, dataPart, textPart } from './parts.ts';

/** The state of a task, derived from its lead, contract.md “Conversation”. */
export const taskStates: Readonly<Record<LeadStatus, TaskState>> = {
  new: TaskState.TASK_STATE_WORKING,
  acknowledged: TaskState.TASK_STATE_WORKING,
  needs_info: TaskState.TASK_STATE_INPUT_REQUIRED,
  quoted: TaskState.TASK_STATE_INPUT_REQUIRED,
  accepted: TaskState.TASK_STATE_WORKING,
  confirmed: TaskState.TASK_STATE_COMPLETED,
  declined: TaskState.TASK_STATE_REJECTED,
  withdrawn: TaskState.TASK_STATE_CANCELED,
  expired: TaskState.TASK_STATE_FAILED,
  // A task is removed with its lead.
  erased: TaskState.TASK_STATE_CANCELED,
};

/** The provider's last message, if nothing followed it. */
function lastWords({ messages }: LeadState): string[] {
  const last = messages.at(-1);
  return last && last.from !== 'person' && last.text !== undefined ? [last.text] : [];
}

/** An offer, and how it is answered. */
function offerLines({ offer }: LeadState): string[] {
  if (!offer) return [];
  const { offerId, amount, currency, description, expiresAt } = offer;
  return [
    `Offer: ${amount} ${currency}${description === undefined ? '' : `, ${description}`}. It can be accepted until ${expiresAt}.`,
    `To answer it, send a message with this taskId and the data part {"accept":"${offerId}"} or {"decline":"${offerId}"}.`,
  ];
}

/** The current state of a lead, for a person or a model. */
const wordsOf = (lead: LeadState): string =>
  [
    ...lastWords(lead),
    ...offerLines(lead),
    lead.notice,
    ...(lead.next.includes('reply')
      ? [
          `To ${lead.status === 'needs_info' ? 'answer' : 'reply'}, send a message of text with this taskId.`,
        ]
      : []),
    ...(lead.next.includes('withdraw') ? ['To withdraw the request, cancel the task.'] : []),
  ].join('\n');

/** A message of the conversation in the history of its task. */
const historyMessage = (
  { id, contextId }: Task,
  { messageId, at, from, text, offer }: LeadState['messages'][number],
): Message => ({
  ...agentMessage({ messageId: `${id}-${messageId}`, taskId: id, contextId }, [
    ...(text === undefined ? [] : [textPart(text)]),
    ...(offer ? [dataPart({ offer })] : []),
  ]),
  role: from === 'person' ? Role.ROLE_USER : Role.ROLE_AGENT,
  metadata: { from, at },
});

/** A receipt with the current state of its lead. */
type PresentReceipt = Omit<Receipt, 'status'> & Pick<LeadState, 'status'>;

/** The receipt of a task with the current state of its lead, signed again. */
const presentReceipt = async (
  artifact: Artifact,
  { proof: _, ...receipt }: Receipt,
  { status, notice }: LeadState,
  context: Pick<Context, 'signDocument'>,
): Promise<Artifact> => {
  const present = await withProof<PresentReceipt>({ ...receipt, status, notice }, context);
  return { ...artifact, parts: receiptParts(present) };
};

/**
 * The task of a lead at a time: its state, what it waits for and its conversation are those of the
 * lead, whoever wrote them; the message of its state has the status of the lead whole, signed as
 * over HTTP. `kept` is what only the task has: its ids, the receipt and the message that filed the
 * lead.
 */
export async function leadTask(
  kept: Task,
  log: LeadLog,
  now: Date,
  context: Pick<Context, 'site' | 'signDocument'>,
): Promise<Task> {
  const lead = await withProof(statusOf(log, now, context.site), context);
  const { id, contextId, artifacts, history } = kept;
  const shown: Artifact[] = [];
  for (const artifact of artifacts) {
    const receipt = receiptIn(artifact);
    shown.push(receipt ? await presentReceipt(artifact, receipt, lead, context) : artifact);
  }
  const place = { messageId: `${id}-s${log.entries.length}`, taskId: id, contextId };
  return {
    id,
    contextId,
    status: {
      state: taskStates[lead.status],
      message: agentMessage(place, [textPart(wordsOf(lead)), dataPart(lead)]),
      timestamp: lead.updatedAt,
    },
    artifacts: shown,
    history: [...history, ...lead.messages.map((message) => historyMessage(kept, message))],
    metadata: undefined,
  };
}
