import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '../probe/ask.ts';
import { codeIn, type Door, doorsOf } from './door.ts';
import type { Intent } from './intent.ts';
import { send } from './send.ts';

export { DoorsError, type Intent, makeIntent } from './intent.ts';

/** What one door did. */
export interface DoorReport {
  door: string;
  /** Requests whose connection was cut after they were written. */
  cut: number;
  /** Requests that were answered with a receipt. */
  receipts: number;
  /** Answers that said to come back later. */
  later: number;
  /** Answers that were neither, and requests without one: the status with the code of the problem, or “no answer”, with how often. */
  refused: Record<string, number>;
}

/** What came of one intent. */
export interface DoorsReport {
  subsite: string;
  action: string;
  doors: DoorReport[];
  /** Different receipts; one where one intent is one lead. */
  receipts: string[];
  /** Those of them whose lead can be read. */
  readable: number;
  /** Doors that were not tried although there is a key for them, in a sentence each. */
  leftOut: string[];
  /** Whether exactly one lead came of it, and every door gave its receipt and nothing else. */
  one: boolean;
}

/** Times that a request is sent again because it was told to come back later. */
const TRIES = 6;
/** Longest pause that an answer may ask for, in ms. */
const LONGEST_PAUSE_MS = 61_000;
/** Time for requests that were cut to come to their end, in ms. */
const SETTLING_MS = 250;

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

/** Answers after which the same request is to be sent again: the first is under way, too many requests, no database. */
const LATER = new Set([409, 429, 503]);

/** What an answer says of when to come back, in ms; undefined where it is final. Protocols may carry the problem inside. */
function pauseOf(
  status: number,
  headers: Record<string, unknown>,
  body: string,
): number | undefined {
  if (!LATER.has(status) && !/"code":"(?:in_flight|unavailable)"/.test(body)) return undefined;
  return Math.min(LONGEST_PAUSE_MS, (Number(headers['retry-after']) || 0.2) * 1000);
}

/** Sends an intent through a door until there is a final answer. */
async function pass(
  base: string,
  door: Door,
  intent: Intent,
  report: DoorReport,
  receipts: Set<string>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answer = await send(base, door.write(intent), false).catch(() => undefined);
    const receipt = answer && door.receiptOf(answer);
    if (receipt !== undefined) {
      report.receipts++;
      receipts.add(receipt);
      return;
    }
    const pause =
      answer && tries < TRIES ? pauseOf(answer.status, answer.headers, answer.body) : undefined;
    if (pause === undefined) {
      const what = answer ? [answer.status, ...codeIn(answer)].join(' ') : 'no answer';
      report.refused[what] = (report.refused[what] ?? 0) + 1;
      return;
    }
    report.later++;
    await wait(pause);
  }
}

/**
 * Sends one intent through every door, again and again under the same idempotency key: in random order, at once and one
 * after the other, every second time with the connection cut after the request was written. Then counts the leads by
 * their receipts. `key` is a bearer key that opens the door of tasks, which takes capabilities only.
 */
export async function tryDoors(
  base: string,
  intent: Intent,
  { times, key }: { times: number; key?: string | undefined },
): Promise<DoorsReport> {
  const leftOut =
    key !== undefined && !intent.isCapability
      ? [`The door of tasks was left out: ${intent.subsite}.${intent.action} is no capability.`]
      : [];
  const doors = doorsOf(leftOut.length ? undefined : key).map((door) => ({
    door,
    report: {
      door: door.name,
      cut: 0,
      receipts: 0,
      later: 0,
      refused: {},
    } satisfies DoorReport,
  }));
  const receipts = new Set<string>();
  for (let wave = 0; wave < times; wave++) {
    const steps = shuffled(doors.flatMap((each) => [true, false].map((cut) => ({ ...each, cut }))));
    const work = steps.map(({ door, report, cut }) => async () => {
      if (!cut) return pass(base, door, intent, report, receipts);
      report.cut++;
      await send(base, door.write(intent), true);
    });
    if (wave % 2) for (const step of work) await step();
    else await Promise.all(work.map((step) => step()));
  }
  // A request that was cut may still be worked on; what it made must be what the doors give from now on.
  await wait(SETTLING_MS);
  for (const { door, report } of shuffled(doors)) await pass(base, door, intent, report, receipts);
  const states = await Promise.all(
    [...receipts].map((token) => ask(base, `/api/lead/${token}`).catch(() => undefined)),
  );
  const readable = states.filter((answer) => answer?.status === 200).length;
  const reports = doors.map(({ report }) => report);
  const one =
    receipts.size === 1 &&
    readable === 1 &&
    reports.every(
      ({ receipts: given, refused }) => given === times + 1 && !Object.keys(refused).length,
    );
  return {
    subsite: intent.subsite,
    action: intent.action,
    doors: reports,
    receipts: [...receipts],
    readable,
    leftOut,
    one,
  };
}
