import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  a2aChannel,
  type Channel,
  type ChannelRequest,
  listChannels,
  type CustomerChannel,
  type CustomerMessage,
  taskIdIn,
  findTextInJson,
} from './channel.ts';
import { ChannelCheckError, type Intent } from './intent.ts';
import { send } from './send.ts';
import {
  type ChannelReport,
  isSuccessful,
  sendThroughChannels,
  sendUntilFinalResponse,
  type OnWait,
} from './send-through.ts';

/** The provider's actions on a lead, and counts of database rows. */
export interface ProviderClient {
  ask: (receiptToken: string, text: string) => Promise<void>;
  offer: (receiptToken: string, text: string) => Promise<void>;
  confirm: (receiptToken: string, text: string) => Promise<void>;
  countEntries: (receiptToken: string) => Promise<number>;
}

export interface StepReport {
  step: 'question' | 'reply' | 'offer' | 'acceptance' | 'confirmation';
  /** Results by channel; empty for a message from the provider. */
  channels: ChannelReport[];
  /** Channels that did not show the new state and message in time. */
  unseen: string[];
}

export interface ConversationReport {
  steps: StepReport[];
  /** Messages with their senders. */
  thread: string[];
  states: string[];
  /** Number of history entries in the database. */
  entries: number;
  /** Whether every channel carried out every step, without duplicate messages. */
  one: boolean;
}

/**
 * Maximum time until a change by another process is visible, and the pause between checks, in ms.
 */
const MAX_DELAY_MS = 3_000;
const POLL_INTERVAL_MS = 100;

const QUESTION = 'Channel check: which floor is it on';
const REPLY = 'Channel check: on the second';
const OFFER = 'Channel check: for Tuesday morning';
const CONFIRMATION = 'Channel check: see you on Tuesday';

const THREAD = [
  `operator: ${QUESTION}`,
  `person: ${REPLY}`,
  `operator: ${OFFER}`,
  `operator: ${CONFIRMATION}`,
];
const STATES = ['new', 'needs_info', 'acknowledged', 'quoted', 'accepted', 'confirmed'];

type ConversationChannel = Channel & { customer: CustomerChannel };

interface Status {
  offer?: { offerId: string };
  messages: { from: string; text?: string }[];
  history: { status: string }[];
}

/**
 * Waits until the status in a channel shows a state and a message; returns false after the time
 * limit.
 */
async function waitForStatus(
  base: string,
  statusRequest: ChannelRequest,
  state: string,
  text: string,
): Promise<boolean> {
  const deadline = performance.now() + MAX_DELAY_MS;
  do {
    const answer = await send(base, statusRequest).catch(() => undefined);
    if (
      answer?.status === 200 &&
      answer.body.includes(text) &&
      (findTextInJson('status', answer.body) ?? state) === state
    )
      return true;
    await wait(POLL_INTERVAL_MS);
  } while (performance.now() < deadline);
  return false;
}

const isReportConsistent = (
  { steps, thread, states, entries }: Omit<ConversationReport, 'one'>,
  times: number,
) =>
  entries === STATES.length &&
  thread.join() === THREAD.join() &&
  states.join() === STATES.join() &&
  steps.every(
    ({ channels, unseen }) => !unseen.length && (!channels.length || isSuccessful(channels, times)),
  );

/**
 * Runs a conversation about a lead: the provider asks a question, makes an offer and confirms. Each
 * reply is sent through every channel with one key, both with and without an interruption. Every
 * channel must show each step within three seconds. @throws {ChannelCheckError} when the task or
 * the status cannot be read
 */
export async function runConversation(
  base: string,
  intent: Intent,
  receiptToken: string,
  provider: ProviderClient,
  times: number,
  onWait?: OnWait,
): Promise<ConversationReport> {
  const conversationChannels = listChannels().filter(
    (channel): channel is ConversationChannel => channel.customer !== undefined,
  );
  const firstResponse = await sendUntilFinalResponse(base, () => a2aChannel.write(intent), onWait);
  const task = firstResponse && taskIdIn(firstResponse);
  if (task === undefined)
    throw new ChannelCheckError('A2A responded without a task. Wait a minute, and try again.');
  const thread = { receiptToken, task };
  const steps: StepReport[] = [];

  async function findStaleChannels(state: string, text: string): Promise<string[]> {
    const shownFlags = await Promise.all(
      conversationChannels.map(({ customer }) =>
        waitForStatus(base, customer.read(thread), state, text),
      ),
    );
    return conversationChannels.filter((_, index) => !shownFlags[index]).map(({ name }) => name);
  }
  async function runProviderStep(
    step: StepReport['step'],
    state: string,
    text: string,
    work: Promise<void>,
  ) {
    await work;
    steps.push({ step, channels: [], unseen: await findStaleChannels(state, text) });
  }
  async function runCustomerStep(
    step: StepReport['step'],
    state: string,
    text: string,
    message: CustomerMessage,
  ) {
    const key = randomUUID();
    const repeatedRequests = conversationChannels.map(({ name, receiptTokenOf, customer }) => ({
      name,
      receiptTokenOf,
      write: () => customer.write(thread, message, key),
    }));
    const { reports } = await sendThroughChannels(base, repeatedRequests, times, onWait);
    steps.push({ step, channels: reports, unseen: await findStaleChannels(state, text) });
  }
  async function readStatus(): Promise<Status> {
    const answer = await send(base, conversationChannels[0]!.customer.read(thread));
    if (answer.status !== 200)
      throw new ChannelCheckError(`The status URL of the lead responded with ${answer.status}.`);
    return JSON.parse(answer.body) as Status;
  }

  await runProviderStep('question', 'needs_info', QUESTION, provider.ask(receiptToken, QUESTION));
  await runCustomerStep('reply', 'acknowledged', REPLY, { text: REPLY });
  await runProviderStep('offer', 'quoted', OFFER, provider.offer(receiptToken, OFFER));
  const { offer } = await readStatus();
  await runCustomerStep('acceptance', 'accepted', OFFER, { accept: offer?.offerId ?? '' });
  await runProviderStep(
    'confirmation',
    'confirmed',
    CONFIRMATION,
    provider.confirm(receiptToken, CONFIRMATION),
  );

  const { messages, history } = await readStatus();
  const report = {
    steps,
    thread: messages.map(({ from, text = '' }) => `${from}: ${text}`),
    states: history.map(({ status }) => status),
    entries: await provider.countEntries(receiptToken),
  };
  return { ...report, one: isReportConsistent(report, times) };
}
