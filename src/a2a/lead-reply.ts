import type { Task } from '@a2a-js/sdk';
import type { Context } from '../operation/context.ts';
import type { Call } from '../operation/operation.ts';
import { callWithKey } from '../http/keyed-call.ts';
import type { Receipt } from '../leads/status/receipt.ts';
import { parseMessage } from '../leads/conversation/customer-message.ts';
import { answerFromSample, sendMessage } from '../leads/conversation/send-message.ts';
import { isObject } from '../site/json-object.ts';
import { createSampleTask } from './lead-task.ts';
import { deriveMessageKey, type MessageContent } from './message-content.ts';

/** Converts a message about a lead's task to the body of a reply. */
function toReplyBody(content: MessageContent): unknown {
  if (content.kind === 'question') return { text: content.text };
  const { data, text } = content;
  return isObject(data) && text && data['text'] === undefined ? { ...data, text } : data;
}

/**
 * Sends a message about a task's lead: text is a reply, and a data part with accept, decline or
 * withdraw is an action, with text as an optional note. Repeated messages are ignored.
 * @throws {Problem} invalid_input; conflict, listing the allowed actions; gone if the lead was
 * erased
 */
export async function replyToLead(
  receiptToken: string,
  content: MessageContent,
  messageId: string,
  { address, key }: Pick<Call, 'address' | 'key'>,
  context: Context,
): Promise<void> {
  const body = toReplyBody(content);
  await callWithKey(
    {
      ...sendMessage,
      parse: (value: unknown) => parseMessage(receiptToken, value),
    },
    body,
    {
      channel: 'a2a',
      ...(address !== undefined && { address }),
      ...(key && { key }),
      idempotencyKey: deriveMessageKey(messageId, receiptToken, body),
    },
    context,
  );
}

/**
 * The sandbox task after a message, which is not stored.
 * @throws {Problem} as for the task of a lead
 */
export const replyToSample = (
  receiptToken: string,
  content: MessageContent,
  context: Context,
): Promise<Task> =>
  createSampleTask(
    answerFromSample(parseMessage(receiptToken, toReplyBody(content)), { channel: 'a2a' }, context),
    context,
  );

/**
 * Sends the text that came with a lead's data part as the person's first message, once even if the
 * call is repeated.
 * @throws {Problem} conflict if the lead has since ended; gone if it was erased
 */
export async function sendAccompanyingText(
  { receiptToken, sandbox }: Receipt,
  text: string,
  messageId: string,
  context: Context,
): Promise<void> {
  // Without a caller, the text does not count toward the message budget; its request already
  // counts.
  if (text && !sandbox)
    await replyToLead(receiptToken, { kind: 'question', text }, messageId, {}, context);
}
