import { setTimeout as wait } from 'node:timers/promises';
import { type Channel, type ChannelResponse, codesIn, type ChannelRequest } from './channel.ts';
import { send, sendAndCut } from './send.ts';

export interface ChannelReport {
  channel: string;
  /** Number of requests whose connection was cut. */
  cut: number;
  /** Number of requests that returned a receipt. */
  receipts: number;
  /** Number of responses that asked for a later retry. */
  later: number;
  /** Number of other outcomes, by status and problem code, or “no answer”. */
  refused: Record<string, number>;
}

export interface RepeatedRequest extends Pick<Channel, 'name' | 'receiptTokenOf'> {
  write: () => ChannelRequest;
}

/** Maximum number of retries after responses that ask for a later retry. */
const MAX_RETRIES = 6;
/** Longest accepted retry delay, in ms. */
const MAX_DELAY_MS = 61_000;
/** How long interrupted requests get to finish, in ms. */
const SETTLE_TIME_MS = 250;

const shuffle = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

/**
 * Statuses that allow a retry: the first request is in progress, there are too many requests, or
 * the database is unavailable.
 */
const RETRY_STATUSES = new Set([409, 429, 503]);

/**
 * Problem codes that allow a retry, for protocols that wrap the problem in a response with another
 * status.
 */
const RETRY_CODES = new Set(['in_flight', 'rate_limited', 'unavailable']);

/** The retry delay that a response asks for, in ms; undefined if the response is final. */
function retryDelayOf(response: ChannelResponse): number | undefined {
  const { status, headers, body } = response;
  if (!RETRY_STATUSES.has(status) && !codesIn(response).some((code) => RETRY_CODES.has(code)))
    return undefined;
  const [, wrappedDelay] = /"retryAfterSeconds\\?":(\d+)/.exec(body) ?? [];
  return Math.min(MAX_DELAY_MS, Number(headers['retry-after'] ?? wrappedDelay ?? 0.2) * 1000);
}

/** Called with the delay before each retry, in ms. */
export type OnWait = (pause: number) => void;

/**
 * Sends a request until the response is final or the retries are exhausted. Returns undefined if
 * there is no response.
 */
export async function sendUntilFinalResponse(
  base: string,
  write: RepeatedRequest['write'],
  onWait?: OnWait,
): Promise<ChannelResponse | undefined> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send(base, write()).catch(() => undefined);
    const pause = answer && attempt < MAX_RETRIES ? retryDelayOf(answer) : undefined;
    if (pause === undefined) return answer;
    onWait?.(pause);
    await wait(pause);
  }
}

/** Sends a request through a channel, repeatedly if necessary, until the response is final. */
async function sendAndCount(
  base: string,
  { write, receiptTokenOf }: RepeatedRequest,
  report: ChannelReport,
  receipts: Set<string>,
  onWait: OnWait | undefined,
): Promise<void> {
  const answer = await sendUntilFinalResponse(base, write, (pause) => {
    report.later++;
    onWait?.(pause);
  });
  const receiptToken = answer && receiptTokenOf(answer);
  if (receiptToken !== undefined) {
    report.receipts++;
    receipts.add(receiptToken);
    return;
  }
  const outcome = answer ? [answer.status, ...codesIn(answer)].join(' ') : 'no answer';
  report.refused[outcome] = (report.refused[outcome] ?? 0) + 1;
}

/**
 * Sends the same request through every channel, `times` times completely and `times` times with an
 * interruption, in random order, concurrently and in sequence, and once more after the interrupted
 * requests have finished.
 */
export async function sendThroughChannels(
  base: string,
  requests: readonly RepeatedRequest[],
  times: number,
  onWait?: OnWait,
): Promise<{ reports: ChannelReport[]; receipts: string[] }> {
  const channels = requests.map((request) => ({
    request,
    report: {
      channel: request.name,
      cut: 0,
      receipts: 0,
      later: 0,
      refused: {},
    } satisfies ChannelReport,
  }));
  const receipts = new Set<string>();
  for (let round = 0; round < times; round++) {
    const steps = shuffle(
      channels.flatMap((channel) => [true, false].map((cut) => ({ ...channel, cut }))),
    );
    const work = steps.map(({ request, report, cut }) => async () => {
      if (!cut) return sendAndCount(base, request, report, receipts, onWait);
      report.cut++;
      await sendAndCut(base, request.write());
    });
    if (round % 2) for (const step of work) await step();
    else await Promise.all(work.map((step) => step()));
  }
  // The server may still be processing an interrupted request; after that, the channels must return
  // its result.
  await wait(SETTLE_TIME_MS);
  for (const { request, report } of shuffle(channels))
    await sendAndCount(base, request, report, receipts, onWait);
  return { reports: channels.map(({ report }) => report), receipts: [...receipts] };
}

/** Whether every channel returned only receipts. */
export const isSuccessful = (reports: readonly ChannelReport[], times: number): boolean =>
  reports.every(
    ({ receipts: receiptCount, refused }) =>
      receiptCount === times + 1 && !Object.keys(refused).length,
  );
