import { type Artifact, type Message, Role, type Task, TaskState } from '@a2a-js/sdk';
import type { LeadLog, LogEntry } from '../leads/lead-log.ts';
import { isEnded, type LeadStatus } from '../leads/lead-states.ts';
import {
  ENDED_REQUEST_TEXT,
  createConfirmedRequestText,
  renderOpenOffer,
  renderPhone,
} from '../leads/conversation/conversation.ts';
import { type LeadState, statusOf } from '../leads/status/lead-status.ts';
import { type createSampleLog, isSandboxToken } from '../leads/status/sample-lead.ts';
import { isSubmissionWarning } from '../leads/status/lead-warnings.ts';
import { withProof } from '../leads/status/proof.ts';
import { type Receipt, createLeadReceipt } from '../leads/status/receipt.ts';
import { readReceiptExtra } from '../leads/status/read-receipt-extra.ts';
import { personActionOf } from '../leads/status/timeline.ts';
import { renderUnansweredMessages } from '../leads/status/unanswered-messages.ts';
import type { Context } from '../operation/context.ts';
import { jsonEtagOf } from '../operation/etag.ts';
import { createReceiptArtifact, receiptIn, createReceiptParts } from './outcome.ts';
import { createAgentMessage, createDataPart, createTextPart } from './parts.ts';

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
  // Erasing a lead also removes its task.
  erased: TaskState.TASK_STATE_CANCELED,
};

const OPEN_OFFER_TEXT = 'Your message did not accept the offer, which is still open.';

function renderOfferLines({ offer, messages }: LeadState): string[] {
  if (!offer) return [];
  const { offerId } = offer;
  return [
    ...(messages.at(-1)?.from === 'person' ? [OPEN_OFFER_TEXT] : []),
    ...renderOpenOffer(offer),
    `To answer it, send a message with this taskId and the data part {"accept":"${offerId}"} or {"decline":"${offerId}"}.`,
  ];
}

/** Advice for a completed task, which can no longer be canceled (A2A 1.0). */
export const COMPLETED_TASK_TEXT = createConfirmedRequestText(
  'send a message with this taskId and the data part',
);

/** The current state of a lead in words, for a person or a model. */
const renderLeadText = (lead: LeadState, entries: readonly LogEntry[]): string =>
  [
    ...renderUnansweredMessages(entries, lead.offer?.offerId),
    ...renderOfferLines(lead),
    `${lead.notice} ${renderPhone(lead)}`,
    ...(lead.next.includes('reply')
      ? [
          `To ${lead.status === 'needs_info' ? 'answer' : 'reply'}, send a message with text and this taskId.`,
        ]
      : []),
    ...(lead.next.includes('withdraw')
      ? [
          lead.status === 'confirmed'
            ? COMPLETED_TASK_TEXT
            : 'To withdraw the request, cancel the task.',
        ]
      : []),
    ...(isEnded(lead.status) ? [ENDED_REQUEST_TEXT] : []),
  ].join('\n');

/** The person's action as the data part that performs it; undefined if it is only text. */
function createActionData(entries: readonly LogEntry[], index: number): object | undefined {
  const { status, actor } = entries[index]!;
  const previousStatus = entries[index - 1]?.status;
  if (actor !== 'person' || status === previousStatus) return undefined;
  if (status === 'withdrawn') return { withdraw: true };
  const offerId = entries.slice(0, index).findLast(({ offer }) => offer)?.offer?.offerId;
  const action = personActionOf(previousStatus, status);
  if (action === 'offer_accepted') return { accept: offerId };
  return action === 'offer_declined' ? { decline: offerId } : undefined;
}

/**
 * A lead's conversation, from all channels, as the history of its task: messages and offers from
 * both sides, and the person's actions without text.
 */
const createHistory = (
  { id, contextId }: Task,
  entries: readonly LogEntry[],
  { messages }: LeadState,
): Message[] =>
  entries.flatMap(({ at, actor, note }, index) => {
    const { offer } = messages.find(({ messageId }) => messageId === `m${index + 1}`) ?? {};
    const action = createActionData(entries, index);
    const parts = [
      ...(note === null ? [] : [createTextPart(note)]),
      ...(offer ? [createDataPart({ offer })] : []),
      ...(action ? [createDataPart(action)] : []),
    ];
    const messageId = `${id}-m${index + 1}`;
    return actor === 'system' || !parts.length
      ? []
      : [
          {
            ...createAgentMessage({ messageId, taskId: id, contextId }, parts),
            role: actor === 'person' ? Role.ROLE_USER : Role.ROLE_AGENT,
            metadata: { from: actor, at },
          },
        ];
  });

/**
 * The messages that led to the lead; the last user message contains the request as the receipt
 * shows it.
 */
function listMessagesBeforeLead(
  { id, contextId, history }: Task,
  { request }: LeadState,
): Message[] {
  const parts = [createTextPart(request.title), createDataPart({ request })];
  const index = history.findLastIndex(({ role }) => role === Role.ROLE_USER);
  return index < 0
    ? [
        {
          ...createAgentMessage({ messageId: `${id}-m1`, taskId: id, contextId }, parts),
          role: Role.ROLE_USER,
        },
      ]
    : history.with(index, { ...history[index]!, parts });
}

type CurrentReceipt = Omit<Receipt, 'status'> & Pick<LeadState, 'status'>;

/** A task's receipt with the current state of its lead, signed again. */
const createCurrentReceiptArtifact = async (
  artifact: Artifact,
  {
    proof: _,
    respondBy: _respondBy,
    price: _price,
    hold: _hold,
    previewUrl: _previewUrl,
    warnings: storedWarnings = [],
    ...receipt
  }: Receipt,
  lead: LeadState,
  previewUrl: string | undefined,
  context: Pick<Context, 'signDocument'>,
): Promise<Artifact> => {
  const { status, notice, respondBy, price, request, hold } = lead;
  const warnings = [...(lead.warnings ?? []), ...storedWarnings.filter(isSubmissionWarning)];
  const signedReceipt = await withProof<CurrentReceipt>(
    {
      ...receipt,
      status,
      notice,
      statusEtag: jsonEtagOf(lead),
      ...(respondBy !== undefined && { respondBy }),
      ...(price && { price }),
      ...(warnings.length && { warnings }),
      ...(previewUrl !== undefined && { previewUrl }),
      ...(hold?.expiresAt !== undefined && { hold: { expiresAt: hold.expiresAt } }),
      ...(receipt.sandbox ? {} : { request }),
    },
    context,
  );
  return { ...artifact, parts: createReceiptParts(signedReceipt) };
};

/**
 * The task of a lead at a given time. Its state, open question and conversation come from the lead;
 * its status message has the lead's full status, signed as it is over HTTP. `storedTask` has the rest:
 * its IDs, the receipt, and the message that created the lead.
 */
export async function createLeadTask(
  storedTask: Task,
  log: LeadLog,
  now: Date,
  context: Pick<Context, 'site' | 'database' | 'signDocument'>,
): Promise<Task> {
  const lead = await withProof(statusOf(log, now, context.site), context);
  const { id, contextId, artifacts } = storedTask;
  const { previewUrl } = await readReceiptExtra(log, context);
  const shownArtifacts: Artifact[] = [];
  for (const artifact of artifacts) {
    const storedReceipt = receiptIn(artifact);
    shownArtifacts.push(
      storedReceipt
        ? await createCurrentReceiptArtifact(artifact, storedReceipt, lead, previewUrl, context)
        : artifact,
    );
  }
  const ids = { messageId: `${id}-s${log.entries.length}`, taskId: id, contextId };
  return {
    id,
    contextId,
    status: {
      state: taskStates[lead.status],
      message: createAgentMessage(ids, [
        createTextPart(renderLeadText(lead, log.entries)),
        createDataPart(lead),
      ]),
      timestamp: lead.updatedAt,
    },
    artifacts: shownArtifacts,
    history: [
      ...listMessagesBeforeLead(storedTask, lead),
      ...createHistory(storedTask, log.entries, lead),
    ],
    metadata: undefined,
  };
}

/** The task of a lead that was not created through A2A: its ID is the receipt token. */
export const createTaskFromLog = (log: LeadLog, { site }: Pick<Context, 'site'>): Task => ({
  id: log.receiptToken,
  contextId: log.receiptToken,
  status: undefined,
  artifacts: [
    createReceiptArtifact({
      ...createLeadReceipt(site, log, {}),
      ...(isSandboxToken(log.receiptToken) && { sandbox: true }),
    }),
  ],
  history: [],
  metadata: undefined,
});

/** The task of a sandbox lead, which is not stored; its ID is the sandbox token. */
export const createSampleTask = (
  { log, now }: ReturnType<typeof createSampleLog>,
  context: Pick<Context, 'site' | 'database' | 'signDocument'>,
): Promise<Task> => createLeadTask(createTaskFromLog(log, context), log, now, context);
