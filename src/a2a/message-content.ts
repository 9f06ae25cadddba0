import { createHash } from 'node:crypto';
import type { Message } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { countCodePoints } from '../fields/text-length.ts';
import { isObject } from '../site/json-object.ts';
import { isValidKey, SAMPLE_KEY } from '../operation/idempotency.ts';
import { networkOf } from '../operation/network-of-address.ts';
import type { Call } from '../operation/operation.ts';
import { createTextPart } from './parts.ts';
import { MAX_PARTS, PARTS_MESSAGE } from './request-schemas.ts';
import { MAX_CHARACTERS } from '../search/question.ts';

/**
 * The content of a message: data with an optional note, or text alone. `isFollowUp` means that the
 * caller continues a conversation.
 */
export type MessageContent =
  | { kind: 'data'; data: unknown; text: string }
  | { kind: 'question'; text: string; isFollowUp?: boolean };

/** Maximum length of an ID that a caller chose; IDs are stored with the task. */
const MAX_ID_LENGTH = 255;

/**
 * Whether data answers an offer or withdraws a request, for which the message must name the
 * request's task.
 */
const isAnswer = (data: unknown): boolean =>
  isObject(data) &&
  data['subsite'] === undefined &&
  ['accept', 'decline', 'withdraw'].some((name) => data[name] !== undefined);

/**
 * Parses a message. In a message with a data part, text is only a note.
 * @throws {RequestMalformedError} or {ContentTypeNotSupportedError}
 */
export function parseMessageContent({
  messageId,
  contextId,
  taskId,
  parts,
}: Message): MessageContent {
  if (!messageId.trim())
    throw new RequestMalformedError(
      'message.messageId is required. Send a new one, such as a UUID, with each message.',
    );
  if ([messageId, contextId, taskId].some((id) => countCodePoints(id) > MAX_ID_LENGTH))
    throw new RequestMalformedError(
      `The IDs in a message may have at most ${MAX_ID_LENGTH} characters.`,
    );
  if (!parts.length || parts.length > MAX_PARTS)
    throw new RequestMalformedError(`message.parts is required. ${PARTS_MESSAGE}`);
  const contents = parts.map((part) => part.content);
  if (contents.some((content) => content?.$case === 'raw' || content?.$case === 'url'))
    throw new ContentTypeNotSupportedError(
      'Files are not accepted. Send text, or one data part with subsite, action and fields.',
    );
  const data = contents.filter((content) => content?.$case === 'data');
  if (data.length > 1)
    throw new RequestMalformedError(
      'A message may have only one data part. Send one message per request.',
    );
  const text = contents
    .flatMap((content) => (content?.$case === 'text' ? [content.value] : []))
    .join('\n')
    .trim();
  if (data[0] && !taskId && isAnswer(data[0].value))
    throw new RequestMalformedError(
      'message.taskId is required. Send the taskId of the request with this answer.',
    );
  if (data[0]) return { kind: 'data', data: data[0].value, text };
  if (!text)
    throw new RequestMalformedError(
      'The message is empty. Send text with a question, or one data part with subsite, action and fields.',
    );
  if (countCodePoints(text) > MAX_CHARACTERS)
    throw new RequestMalformedError(
      `A ${taskId ? 'reply' : 'question'} may have at most ${MAX_CHARACTERS} characters.`,
    );
  return { kind: 'question', text, isFollowUp: contextId !== '' };
}

/**
 * Derives an idempotency key for a message sent without one; a repeated message gets the same key.
 * A long ID, such as a UUID, is unique, so the key is derived from it and the recipient. Strangers
 * may choose the same short ID, such as 1, so the key also depends on the content and on the
 * caller, because the response to a request contains its receipt token. The sample ID from the
 * documentation is rejected, as is the sample key; in a message to a lead, which has few senders,
 * it is an ID like any other.
 */
export const deriveMessageKey = (
  messageId: string,
  recipient: string,
  content: unknown,
  caller?: Pick<Call, 'address' | 'key'>,
): string => {
  if (messageId === SAMPLE_KEY && recipient === '') return SAMPLE_KEY;
  const sender = caller?.key?.id ?? networkOf(caller?.address ?? '');
  const rest = isValidKey(messageId) ? null : [content, sender];
  return `a2a:${createHash('sha256')
    .update(JSON.stringify([messageId, recipient, rest]))
    .digest('hex')}`;
};

/** A message as stored in the task history: without its content. */
export const withoutContent = ({ messageId, contextId, taskId, role }: Message): Message => ({
  messageId,
  contextId,
  taskId,
  role,
  parts: [createTextPart('The content of messages is not stored.')],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
