import { setTimeout as wait } from 'node:timers/promises';
import { type Answered, codeIn, type Written } from './channel.ts';
import { send } from './send.ts';

/** What one channel did. */
export interface ChannelReport {
  channel: string;
  /** Requests whose connection was cut after they were written. */
  cut: number;
  /** Requests that were answered with a receipt. */
  receipts: number;
  /** Answers that said to come back later. */
  later: number;
  /**
   * Answers that were neither, and requests without one: the status with the code of the problem,
   * or “no answer”, with how often.
   */
  refused: Record<string, number>;
}

/** How one channel sends the same thing again and again. */
export interface Way {
  name: string;
  write: () => Written;
  /** Token of the receipt in an answer; undefined where it is a refusal. */
  receiptOf: (answer: Answered) => string | undefined;
}

/** How often a request is retried when an answer says to come back later. */
const TRIES = 6;
/** Longest pause that an answer may ask for, in ms. */
const LONGEST_PAUSE_MS = 61_000;
/** Time for requests that were cut to come to their end, in ms. */
const SETTLING_MS = 250;

/** The same in random order. */
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

/**
 * Answers after which the same request is retried: the first is still running, too many requests,
 * no database.
 */
const LATER = new Set([409, 429, 503]);

/**
 * When an answer says to retry, in ms; undefined where it is final. Protocols may wrap the problem.
 */
function pauseOf(
  status: number,
  headers: Record<string, unknown>,
  body: string,
): number | undefined {
  if (!LATER.has(status) && !/"code":"(?:in_flight|unavailable)"/.test(body)) return undefined;
  return Math.min(LONGEST_PAUSE_MS, (Number(headers['retry-after']) || 0.2) * 1000);
}

/** Sends a request through a channel until there is a final answer. */
async function pass(
  base: string,
  { write, receiptOf }: Way,
  report: ChannelReport,
  receipts: Set<string>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answer = await send(base, write(), false).catch(() => undefined);
    const receipt = answer && receiptOf(answer);
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
 * Sends the same thing through every channel, `times` times whole and as often cut off, in random
 * order, concurrently and in sequence, and once more when the cut requests have finished.
 */
export async function sendThrough(
  base: string,
  ways: readonly Way[],
  times: number,
): Promise<{ reports: ChannelReport[]; receipts: string[] }> {
  const channels = ways.map((way) => ({
    way,
    report: {
      channel: way.name,
      cut: 0,
      receipts: 0,
      later: 0,
      refused: {},
    } satisfies ChannelReport,
  }));
  const receipts = new Set<string>();
  for (let wave = 0; wave < times; wave++) {
    const steps = shuffled(
      channels.flatMap((each) => [true, false].map((cut) => ({ ...each, cut }))),
    );
    const work = steps.map(({ way, report, cut }) => async () => {
      if (!cut) return pass(base, way, report, receipts);
      report.cut++;
      await send(base, way.write(), true);
    });
    if (wave % 2) for (const step of work) await step();
    else await Promise.all(work.map((step) => step()));
  }
  // A cut request may still be processed; its result must be what the channels return from now on.
  await wait(SETTLING_MS);
  for (const { way, report } of shuffled(channels)) await pass(base, way, report, receipts);
  return { reports: channels.map(({ report }) => report), receipts: [...receipts] };
}

/** Whether every channel returned a receipt each time an answer was read, and nothing else. */
export const isWhole = (reports: readonly ChannelReport[], times: number): boolean =>
  reports.every(
    ({ receipts: given, refused }) => given === times + 1 && !Object.keys(refused).length,
  );
