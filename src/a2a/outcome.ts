import { type Artifact, type Part, type Task, TaskState } from '@a2a-js/sdk';
import type { Outcome } from '../operation/operation.ts';
import type { Problem } from '../operation/problem.ts';
import type { Receipt } from '../leads/status/receipt.ts';
import { problemData } from '../http/problem-data.ts';
import { agentMessage, dataPart, type Place, textPart } from './parts.ts';

/** Id of the artifact with the receipt. */
const RECEIPT_ARTIFACT = 'receipt';

interface Settled extends Place {
  state: TaskState;
  parts: Part[];
  artifacts?: Artifact[];
  /** ISO 8601 time. */
  at: string;
}

const createTask = ({ state, parts, artifacts = [], at, ...place }: Settled): Task => ({
  id: place.taskId,
  contextId: place.contextId,
  status: { state, message: agentMessage(place, parts), timestamp: at },
  artifacts,
  history: [],
  metadata: undefined,
});

/** The artifact parts of a receipt. */
export const receiptParts = (
  receipt: Pick<Receipt, 'notice' | 'receiptUrl'>,
): [data: Part, text: Part] => [
  dataPart(receipt),
  textPart(`${receipt.notice} ${receipt.receiptUrl}`),
];

/** The artifact of a receipt. */
export const receiptArtifact = (receipt: Receipt): Artifact => ({
  artifactId: RECEIPT_ARTIFACT,
  name: 'receipt',
  description: 'Receipt of the request.',
  parts: receiptParts(receipt),
  metadata: undefined,
  extensions: [],
});

/**
 * The task whose message filed a lead, with the receipt as its artifact: working until the provider
 * answers, or completed in the sandbox.
 */
export function filedTask(
  place: Place,
  { output: receipt, replayed }: Outcome<Receipt>,
  at: string,
): Task {
  const artifact: Artifact = {
    ...receiptArtifact(receipt),
    // Corresponds to the Idempotent-Replayed header of other channels.
    metadata: replayed ? { 'idempotent-replayed': true } : undefined,
  };
  return createTask({
    ...place,
    state: receipt.sandbox ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_WORKING,
    parts: [
      textPart(receipt.sandbox ? receipt.notice : `The request was filed. ${receipt.notice}`),
    ],
    artifacts: [artifact],
    at,
  });
}

/** The pointers and messages of a problem’s errors, one per line. */
const lines = ({ errors = [] }: Problem) =>
  errors.map(({ pointer, message }) => `${pointer || 'data'}: ${message}`);

/** The task whose message needs correction: it waits for another message with the same taskId. */
export function taskToCorrect(place: Place, problem: Problem, base: string, at: string): Task {
  const text = [
    problem.message,
    ...lines(problem),
    'Send the whole data part again, mended, in a message with this taskId; nothing of it was kept.',
  ].join('\n');
  return createTask({
    ...place,
    state: TaskState.TASK_STATE_INPUT_REQUIRED,
    parts: [textPart(text), dataPart(problemData(problem, base))],
    at,
  });
}

/** The task after it got text instead of the data part it waits for. */
export const waitingTask = (place: Place, at: string): Task =>
  createTask({
    ...place,
    state: TaskState.TASK_STATE_INPUT_REQUIRED,
    parts: [
      textPart(
        'This task waits for its data part with subsite, action and fields. Ask questions in a message without taskId.',
      ),
    ],
    at,
  });

/** The receipt in an artifact of a task; undefined in any other artifact. */
export function receiptIn({ artifactId, parts }: Artifact): Receipt | undefined {
  if (artifactId !== RECEIPT_ARTIFACT) return undefined;
  const content = parts.find((part) => part.content?.$case === 'data')?.content;
  return content?.value as Receipt | undefined;
}

/** Token of the lead that a task filed, from its receipt; null without a stored lead. */
export function leadOf({ artifacts }: Task): string | null {
  const [receipt] = artifacts.flatMap((artifact) => receiptIn(artifact) ?? []);
  return receipt && !receipt.sandbox ? receipt.receiptToken : null;
}
