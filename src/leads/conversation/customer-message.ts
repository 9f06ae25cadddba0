import * as v from 'valibot';
import {
  countCodePoints,
  createFilledTextSchema,
  createTooLongMessage,
} from '../../fields/text-length.ts';
import { jsonSchemaOf } from '../../operation/json-schema.ts';
import { normalizeTexts } from '../../operation/normalize-text.ts';
import type { JsonSchema } from '../../operation/operation.ts';
import type { InputError } from '../../operation/problem.ts';
import { parentOf } from '../../operation/json-pointer.ts';
import { withIntendedName } from '../../operation/unknown-names.ts';
import {
  validateValue,
  withDescription,
  throwIfAnyFaults,
  withExpectation,
} from '../../operation/validate.ts';
import { isObject } from '../../site/json-object.ts';
import { isDateName, isTextAlias } from '../../site/corrections/similar-names.ts';
import { customerForm } from '../../text/index.ts';
import { MAX_NOTE_LENGTH } from '../write-entry.ts';
import { locale } from '../../language.ts';

const formatNumber = (count: number): string => count.toLocaleString(locale);

/** Error text that says how a message identifies an offer. */
export const OFFER_RULE = 'Send the offerId of the offer.';

const offerId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,40}$/), withExpectation(OFFER_RULE));

export const messageSchema = v.pipe(
  v.strictObject({
    text: v.optional(
      v.pipe(
        createFilledTextSchema(MAX_NOTE_LENGTH),
        withExpectation(`Enter 1 to ${formatNumber(MAX_NOTE_LENGTH)} characters of text.`),
        v.description(
          'Text for the provider. Sent alone, it is a reply. Links to receipts are removed.',
        ),
      ),
    ),
    accept: v.optional(withDescription(offerId, 'offerId of the open offer, to accept it.')),
    decline: v.optional(withDescription(offerId, 'offerId of the open offer, to decline it.')),
    withdraw: v.optional(
      v.pipe(
        v.literal(true),
        withExpectation('Send true.'),
        v.description('Withdraws the request.'),
      ),
    ),
  }),
  withExpectation('Send an object with one of text, accept, decline or withdraw.'),
);

/** A reply, which must have text. */
const replySchema = v.strictObject({
  ...messageSchema.pipe[0].entries,
  text: messageSchema.pipe[0].entries.text.wrapped,
});

/** A message whose offerId has not been checked yet, because the check requires the lead. */
const messageWithAnyOfferId = v.strictObject({
  ...messageSchema.pipe[0].entries,
  accept: v.optional(v.unknown()),
  decline: v.optional(v.unknown()),
});

const idOf = (value: unknown): string | undefined => (v.is(offerId, value) ? value : undefined);

/** A message from the customer: a reply, or an action with optional text. */
export type CustomerMessage =
  | { receiptToken: string; action: 'reply'; text: string }
  | {
      receiptToken: string;
      action: 'accept' | 'decline';
      /** Absent if the submitted value is malformed. */
      offerId?: string | undefined;
      text?: string | undefined;
    }
  | { receiptToken: string; action: 'withdraw'; text?: string | undefined };

const MESSAGE_RULE =
  'Send text, or one of accept, decline (with the offerId) or withdraw (true); each can include text.';

/**
 * Whether an error concerns a member of a new request, which a message about a request cannot have.
 */
const isRequestMember = ({ pointer }: InputError): boolean =>
  ['/subsite', '/action', '/fields', '/contact'].includes(pointer) ||
  (parentOf(pointer) === '' && /date|day|_/i.test(pointer) && isDateName(pointer.slice(1)));

const NO_CORRECTION_ADVICE =
  'A submitted request keeps its fields. Send the correction to the provider as text. For another item or other days, you can also withdraw the request and submit a new one with a new idempotency key.';

const OFFER_POINTERS = ['/accept', '/decline'];

/**
 * Finds all errors in an unvalidated body, after normalizing its strings. A malformed offerId alone
 * is not an error here, because the response to it depends on whether the lead has an open offer.
 */
export function findMessageFaults(unnormalizedBody: unknown): InputError[] {
  const body = normalizeTexts(unnormalizedBody);
  const faults = findBodyFaults(body);
  const [fault, secondFault] = faults;
  const hasOneDecision = listDecisions(body).length === 1;
  return hasOneDecision && !secondFault && OFFER_POINTERS.includes(fault?.pointer ?? '')
    ? []
    : faults;
}

const listDecisions = (body: unknown): string[] =>
  ['accept', 'decline', 'withdraw'].filter((name) => isObject(body) && body[name] !== undefined);

function findBodyFaults(body: unknown): InputError[] {
  const decisions = listDecisions(body);
  const isReply = isObject(body) && !decisions.length && body['text'] !== undefined;
  const { errors } = validateValue(isReply ? replySchema : messageSchema, body);
  const [requestMemberError, ...others] = errors.filter(isRequestMember);
  if (requestMemberError)
    return [
      { pointer: requestMemberError.pointer, message: NO_CORRECTION_ADVICE },
      ...others,
      ...errors.filter((error) => !isRequestMember(error)),
    ];
  const isEmpty =
    isObject(body) &&
    !decisions.length &&
    body['text'] === undefined &&
    body['erase'] === undefined;
  return [
    ...errors.map((error) =>
      isEmpty && error.kind === 'unknown' && isTextAlias(error.pointer.slice(1), 'text')
        ? withIntendedName(error, 'text')
        : error,
    ),
    ...decisions.slice(1).map((name) => ({
      pointer: `/${name}`,
      message: `${decisions[0]} and ${name} cannot be sent together. ${MESSAGE_RULE}`,
    })),
    ...(isEmpty
      ? [{ pointer: '', message: MESSAGE_RULE, allowed: ['text', 'accept', 'decline', 'withdraw'] }]
      : []),
  ];
}

/** Finds the errors in a form whose text is empty or too long, worded for people. */
export function findFormFaults({
  text,
  ...decisions
}: Readonly<Record<string, unknown>>): InputError[] {
  const trimmedText = typeof text === 'string' ? text.trim() : '';
  const count = countCodePoints(trimmedText);
  const message =
    count > MAX_NOTE_LENGTH
      ? createTooLongMessage(MAX_NOTE_LENGTH, count)
      : trimmedText || Object.keys(decisions).length
        ? undefined
        : customerForm.empty;
  return message === undefined ? [] : [{ pointer: '/text', message }];
}

/**
 * Validates a body as a message, and normalizes its texts on every channel.
 * @throws {Problem} invalid_input with every error at once
 */
export function parseMessage(receiptToken: string, unnormalizedBody: unknown): CustomerMessage {
  const body = normalizeTexts(unnormalizedBody);
  throwIfAnyFaults(findMessageFaults(body));
  const { text, accept, decline, withdraw } = v.parse(messageWithAnyOfferId, body);
  if (accept !== undefined) return { receiptToken, action: 'accept', offerId: idOf(accept), text };
  if (decline !== undefined)
    return { receiptToken, action: 'decline', offerId: idOf(decline), text };
  return withdraw
    ? { receiptToken, action: 'withdraw', text }
    : { receiptToken, action: 'reply', text: text! };
}

/** JSON Schemas of the alternative bodies: a reply, or one action with optional text. */
export const createMessageSchemas = (): Record<string, JsonSchema> => {
  const { properties } = jsonSchemaOf(messageSchema) as { properties: Record<string, JsonSchema> };
  const { text } = properties;
  const createBodySchema = (name: string): JsonSchema => ({
    type: 'object',
    properties: { [name]: properties[name], text },
    required: [name],
    additionalProperties: false,
  });
  return {
    ReplyMessage: createBodySchema('text'),
    AcceptMessage: createBodySchema('accept'),
    DeclineMessage: createBodySchema('decline'),
    WithdrawMessage: createBodySchema('withdraw'),
  };
};
