import { sendRequest } from '../probe/send-request.ts';
import { listChannels } from './channel.ts';
import type { Intent } from './intent.ts';
import {
  type ChannelReport,
  isSuccessful,
  sendThroughChannels,
  type OnWait,
} from './send-through.ts';

export { runConversation, type ConversationReport, type ProviderClient } from './conversation.ts';
export type { ChannelReport, OnWait } from './send-through.ts';
export {
  ChannelCheckError as ChannelsError,
  ChannelUsageError,
  type Intent,
  makeIntent,
} from './intent.ts';

export interface ChannelCheckReport {
  subsite: string;
  action: string;
  channels: ChannelReport[];
  /** Distinct receipts; a single receipt means a single lead. */
  receipts: string[];
  /** Number of receipts whose lead can be read. */
  readable: number;
  /** Reasons for skipped channels, one sentence each. */
  leftOut: string[];
  /** Whether there is exactly one lead, and every channel returned only its receipt. */
  one: boolean;
}

/**
 * Repeatedly sends an intent through every channel with the same idempotency key: in random order,
 * concurrently and in sequence. Every other connection is cut after the request. Then it counts the
 * leads by their receipts. `key` is a bearer key for the task channel, which accepts only
 * capabilities.
 */
export async function checkChannels(
  base: string,
  intent: Intent,
  { times, key, onWait }: { times: number; key?: string | undefined; onWait?: OnWait },
): Promise<ChannelCheckReport> {
  const leftOut =
    key !== undefined && !intent.isCapability
      ? [`The task channel was skipped: ${intent.subsite}.${intent.action} is not a capability.`]
      : [];
  const requests = listChannels(leftOut.length ? undefined : key).map((channel) => ({
    ...channel,
    write: () => channel.write(intent),
  }));
  const { reports, receipts } = await sendThroughChannels(base, requests, times, onWait);
  const states = await Promise.all(
    receipts.map((receiptToken) =>
      sendRequest(base, `/api/lead/${receiptToken}`).catch(() => undefined),
    ),
  );
  const readable = states.filter((answer) => answer?.status === 200).length;
  const one = receipts.length === 1 && readable === 1 && isSuccessful(reports, times);
  return {
    subsite: intent.subsite,
    action: intent.action,
    channels: reports,
    receipts,
    readable,
    leftOut,
    one,
  };
}
