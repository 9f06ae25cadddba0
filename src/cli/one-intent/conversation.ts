import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  a2a,
  type Channel,
  channelsOf,
  type HolderChannel,
  type Said,
  taskIn,
  textInJson,
} from './channel.ts';
import { ChannelsError, type Intent } from './intent.ts';
import { send } from './send.ts';
import { type ChannelReport, isWhole, sendThrough } from './send-through.ts';

/** The provider's side of a lead, and what only the database of the service shows. */
export interface ProviderSide {
  ask: (receipt: string, text: string) => Promise<void>;
  offer: (receipt: string, text: string) => Promise<void>;
  confirm: (receipt: string, text: string) => Promise<void>;
  /** Entries of the history of a lead. */
  entriesOf: (receipt: string) => Promise<number>;
}

/** One step of a conversation. */
export interface StepReport {
  step: 'question' | 'reply' | 'offer' | 'acceptance' | 'confirmation';
  /** What each channel did to send it; empty for what the provider sends. */
  channels: ChannelReport[];
  /** Channels that did not show the state and the newest text after it. */
  unseen: string[];
}

/** The outcome of a conversation about one lead. */
export interface ConversationReport {
  steps: StepReport[];
  /** Messages of the thread: who wrote them, and what. */
  thread: string[];
  /** States of the lead in order. */
  states: string[];
  /** Entries of the history in the database. */
  entries: number;
  /** Whether every channel did every step, and together they made one thread. */
  one: boolean;
}

/**
 * Time within which another process's change must show, in ms, and the pause between two checks.
 */
const SEEN_MS = 3_000;
const LOOK_MS = 100;

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

type Speaking = Channel & { holder: HolderChannel };

interface Status {
  offer?: { offerId: string };
  messages: { from: string; text?: string }[];
  history: { status: string }[];
}

/**
 * Holds one conversation about a lead: the provider asks, offers and confirms, and each message of
 * the holder is sent through every channel under one key, whole and cut. After each step every
 * channel must show it within three seconds.
 * @throws {ChannelsError} where the task or the status cannot be read
 */
export async function converse(
  base: string,
  intent: Intent,
  receipt: string,
  provider: ProviderSide,
  times: number,
): Promise<ConversationReport> {
  const speaking = channelsOf().filter(
    (channel): channel is Speaking => channel.holder !== undefined,
  );
  const filed = await send(base, a2a.write(intent), false);
  const task = filed && taskIn(filed);
  if (task === undefined)
    throw new ChannelsError('A2A answers the request with no task. Wait a minute, and try again.');
  const thread = { receipt, task };
  const steps: StepReport[] = [];

  /** Whether a channel shows a state and a text, at once or in time. */
  async function shows({ holder }: Speaking, state: string, text: string): Promise<boolean> {
    const end = performance.now() + SEEN_MS;
    do {
      const answer = await send(base, holder.read(thread), false).catch(() => undefined);
      if (
        answer?.status === 200 &&
        answer.body.includes(text) &&
        (textInJson('status', answer.body) ?? state) === state
      )
        return true;
      await wait(LOOK_MS);
    } while (performance.now() < end);
    return false;
  }
  /** Names of the channels that do not show a state and a text. */
  async function unseenBy(state: string, text: string): Promise<string[]> {
    const seen = await Promise.all(speaking.map((channel) => shows(channel, state, text)));
    return speaking.filter((_, at) => !seen[at]).map(({ name }) => name);
  }
  async function provide(
    step: StepReport['step'],
    state: string,
    text: string,
    work: Promise<void>,
  ) {
    await work;
    steps.push({ step, channels: [], unseen: await unseenBy(state, text) });
  }
  async function say(step: StepReport['step'], state: string, text: string, said: Said) {
    const key = randomUUID();
    const ways = speaking.map(({ name, receiptOf, holder }) => ({
      name,
      receiptOf,
      write: () => holder.write(thread, said, key),
    }));
    const { reports } = await sendThrough(base, ways, times);
    steps.push({ step, channels: reports, unseen: await unseenBy(state, text) });
  }
  async function readStatus(): Promise<Status> {
    const answer = await send(base, speaking[0]!.holder.read(thread), false);
    if (answer?.status !== 200)
      throw new ChannelsError(`The status of the lead answers ${answer?.status ?? 'nothing'}.`);
    return JSON.parse(answer.body) as Status;
  }

  await provide('question', 'needs_info', QUESTION, provider.ask(receipt, QUESTION));
  await say('reply', 'acknowledged', REPLY, { text: REPLY });
  await provide('offer', 'quoted', OFFER, provider.offer(receipt, OFFER));
  const { offer } = await readStatus();
  await say('acceptance', 'accepted', OFFER, { accept: offer?.offerId ?? '' });
  await provide('confirmation', 'confirmed', CONFIRMATION, provider.confirm(receipt, CONFIRMATION));

  const { messages, history } = await readStatus();
  const spoken = messages.map(({ from, text = '' }) => `${from}: ${text}`);
  const states = history.map(({ status }) => status);
  const entries = await provider.entriesOf(receipt);
  return {
    steps,
    thread: spoken,
    states,
    entries,
    one:
      entries === STATES.length &&
      spoken.join() === THREAD.join() &&
      states.join() === STATES.join() &&
      steps.every(
        ({ channels, unseen }) => !unseen.length && (!channels.length || isWhole(channels, times)),
      ),
  };
}
