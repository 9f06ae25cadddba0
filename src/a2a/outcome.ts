import { type Artifact, type Part, type Task, TaskState } from '@a2a-js/sdk';
import type { Outcome } from '../operation/operation.ts';
import type { Problem } from '../operation/problem.ts';
import { renderPhone } from '../leads/conversation/conversation.ts';
import type { Receipt } from '../leads/status/receipt.ts';
import { toProblemData } from '../http/problem-data.ts';
import { createAgentMessage, createDataPart, type MessageIds, createTextPart } from './parts.ts';

const RECEIPT_ARTIFACT_ID = 'receipt';

interface TaskOptions extends MessageIds {
  state: TaskState;
  parts: Part[];
  artifacts?: Artifact[];
  /** ISO 8601 time. */
  at: string;
}

const createTask = ({ state, parts, artifacts = [], at, ...ids }: TaskOptions): Task => ({
  id: ids.taskId,
  contextId: ids.contextId,
  status: { state, message: createAgentMessage(ids, parts), timestamp: at },
  artifacts,
  history: [],
  metadata: undefined,
});

export const createReceiptParts = (
  receipt: Pick<Receipt, 'notice' | 'phone' | 'receiptUrl'>,
): [data: Part, text: Part] => [
  createDataPart(receipt),
  createTextPart(`${receipt.notice} ${renderPhone(receipt)} ${receipt.receiptUrl}`),
];

export const createReceiptArtifact = (receipt: Receipt): Artifact => ({
  artifactId: RECEIPT_ARTIFACT_ID,
  name: 'receipt',
  description: 'Receipt for the request.',
  parts: createReceiptParts(receipt),
  metadata: undefined,
  extensions: [],
});

/**
 * Explains how to rehearse the next steps after a sandbox request, whose task has already ended.
 */
const REHEARSAL_TEXT =
  'To rehearse a question or an offer, read the task sandbox-needs_info or sandbox-quoted and send messages with that taskId.';

/**
 * The task whose message created a lead, with the receipt as its artifact: working until the
 * provider answers, or completed in the sandbox.
 */
export function createTaskWithReceipt(
  ids: MessageIds,
  { output: receipt, replayed }: Outcome<Receipt>,
  time: string,
): Task {
  const artifact: Artifact = {
    ...createReceiptArtifact(receipt),
    // This corresponds to the Idempotent-Replayed header of other channels.
    metadata: replayed ? { 'idempotent-replayed': true } : undefined,
  };
  return createTask({
    ...ids,
    state: receipt.sandbox ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_WORKING,
    parts: [
      createTextPart(
        receipt.sandbox
          ? `${receipt.notice} ${REHEARSAL_TEXT}`
          : `The request was submitted. ${receipt.notice} ${renderPhone(receipt)}`,
      ),
    ],
    artifacts: [artifact],
    at: time,
  });
}

const renderErrorLines = ({ errors = [] }: Problem) =>
  errors.map(({ pointer, message }) => `${pointer || 'data'}: ${message}`);

/** A task that waits for the corrected message, with the same taskId. */
export function createCorrectionTask(
  ids: MessageIds,
  problem: Problem,
  base: string,
  time: string,
): Task {
  const text = [
    problem.message,
    ...renderErrorLines(problem),
    'Correct the data part and send all of it again in a message with this taskId; nothing was stored.',
  ].join('\n');
  return createTask({
    ...ids,
    state: TaskState.TASK_STATE_INPUT_REQUIRED,
    parts: [createTextPart(text), createDataPart(toProblemData(problem, base))],
    at: time,
  });
}

/**
 * A task whose request was stored although the accompanying text was not sent; its status explains
 * why.
 */
export function withUnsentText(task: Task, reason: string): Task {
  const { status } = task;
  if (!status?.message) return task;
  const part = createTextPart(`The request was stored, but the text was not sent: ${reason}`);
  const message = { ...status.message, parts: [part, ...status.message.parts] };
  return { ...task, status: { ...status, message } };
}

/** Says what a task without a request is waiting for. */
export const waitingParts = [
  createTextPart(
    'This task is waiting for its data part with subsite, action and fields. To see what was wrong with the last one, send it again with this taskId. Ask questions in a message without taskId.',
  ),
];

/** A task that received text while waiting for its data part. */
export const createWaitingTask = (ids: MessageIds, time: string): Task =>
  createTask({
    ...ids,
    state: TaskState.TASK_STATE_INPUT_REQUIRED,
    parts: waitingParts,
    at: time,
  });

/** The receipt in a task's artifact; undefined for any other artifact. */
export function receiptIn({ artifactId, parts }: Artifact): Receipt | undefined {
  if (artifactId !== RECEIPT_ARTIFACT_ID) return undefined;
  const content = parts.find((part) => part.content?.$case === 'data')?.content;
  return content?.value as Receipt | undefined;
}

const receiptOf = ({ artifacts }: Task): Receipt | undefined =>
  artifacts.flatMap((artifact) => receiptIn(artifact) ?? [])[0];

/** Whether a task belongs to a sandbox request, which is never stored. */
export const isSandboxTask = (task: Task): boolean => receiptOf(task)?.sandbox === true;

/** Token of the lead that a task created, from its receipt; null if no lead is stored. */
export function leadOf(task: Task): string | null {
  const receipt = receiptOf(task);
  return receipt && !receipt.sandbox ? receipt.receiptToken : null;
}
