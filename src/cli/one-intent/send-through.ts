import { setTimeout as wait } from 'node:timers/promises';
import { type ChannelResponse, codeIn, type ChannelRequest } from './channel.ts';
import { send } from './send.ts';

/** The results of one channel. */
export interface ChannelReport {
  channel: string;
  /** Requests with a cut connection. */
  cut: number;
  /** Requests that returned a receipt. */
  receipts: number;
  /** Responses that said to retry later. */
  later: number;
  /**
   * Other responses, and requests without one: the status and problem code, or “no answer”, with
   * their number.
   */
  refused: Record<string, number>;
}

/** How one channel repeats a request. */
export interface RepeatedRequest {
  name: string;
  write: () => ChannelRequest;
  /** The receipt token in a response; undefined if it was refused. */
  receiptOf: (answer: ChannelResponse) => string | undefined;
}

/** Maximum number of retries after a response that says to retry later. */
const MAX_RETRIES = 6;
/** Longest accepted retry delay, in ms. */
const MAX_DELAY_MS = 61_000;
/** Time for cut requests to finish, in ms. */
const SETTLING_MS = 250;

/** A list in random order. */
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

/**
 * Statuses after which the same request is retried: the first one is still running, too many
 * requests, no database.
 */
const RETRY_STATUSES = new Set([409, 429, 503]);

/**
 * The retry delay of a response, in ms; undefined if it is final. Protocols may wrap the problem.
 */
function retryDelayOf(
  status: number,
  headers: Record<string, unknown>,
  body: string,
): number | undefined {
  if (!RETRY_STATUSES.has(status) && !/"code":"(?:in_flight|unavailable)"/.test(body))
    return undefined;
  return Math.min(MAX_DELAY_MS, (Number(headers['retry-after']) || 0.2) * 1000);
}

/** Called with the delay before each retry, in ms. */
export type OnWait = (pause: number) => void;

/**
 * Sends a request until the response is final, or for the last time. Returns the response;
 * undefined without one.
 */
export async function sendUntilFinal(
  base: string,
  write: RepeatedRequest['write'],
  waits?: OnWait,
): Promise<ChannelResponse | undefined> {
  for (let tries = 1; ; tries++) {
    const answer = await send(base, write(), false).catch(() => undefined);
    const pause =
      answer && tries < MAX_RETRIES
        ? retryDelayOf(answer.status, answer.headers, answer.body)
        : undefined;
    if (pause === undefined) return answer;
    waits?.(pause);
    await wait(pause);
  }
}

/** Sends a request through a channel until the response is final. */
async function sendAndCount(
  base: string,
  { write, receiptOf }: RepeatedRequest,
  report: ChannelReport,
  receipts: Set<string>,
  waits: OnWait | undefined,
): Promise<void> {
  const answer = await sendUntilFinal(base, write, (pause) => {
    report.later++;
    waits?.(pause);
  });
  const receipt = answer && receiptOf(answer);
  if (receipt !== undefined) {
    report.receipts++;
    receipts.add(receipt);
    return;
  }
  const what = answer ? [answer.status, ...codeIn(answer)].join(' ') : 'no answer';
  report.refused[what] = (report.refused[what] ?? 0) + 1;
}

/**
 * Sends the same request through every channel, `times` times complete and `times` times cut off,
 * in random order, concurrently and in sequence, and once more after the cut requests have
 * finished.
 */
export async function sendThrough(
  base: string,
  requests: readonly RepeatedRequest[],
  times: number,
  waits?: OnWait,
): Promise<{ reports: ChannelReport[]; receipts: string[] }> {
  const channels = requests.map((way) => ({
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
  for (let round = 0; round < times; round++) {
    const steps = shuffled(
      channels.flatMap((each) => [true, false].map((cut) => ({ ...each, cut }))),
    );
    const work = steps.map(({ way, report, cut }) => async () => {
      if (!cut) return sendAndCount(base, way, report, receipts, waits);
      report.cut++;
      await send(base, way.write(), true);
    });
    if (round % 2) for (const step of work) await step();
    else await Promise.all(work.map((step) => step()));
  }
  // A cut request may still be processed; from then on the channels must return its result.
  await wait(SETTLING_MS);
  for (const { way, report } of shuffled(channels))
    await sendAndCount(base, way, report, receipts, waits);
  return { reports: channels.map(({ report }) => report), receipts: [...receipts] };
}

/** Whether every channel returned only receipts. */
export const isSuccessful = (reports: readonly ChannelReport[], times: number): boolean =>
  reports.every(
    ({ receipts: given, refused }) => given === times + 1 && !Object.keys(refused).length,
  );
