import * as v from 'valibot';
import type { Context } from '../../operation/context.ts';
import {
  type Intent,
  idempotencyParameter,
  runOnce,
  findStoredResponse,
} from '../../operation/idempotency.ts';
import { jsonSchemaOf } from '../../operation/json-schema.ts';
import {
  type Call,
  defineOperation,
  type JsonSchema,
  type OperationForm,
  type Outcome,
} from '../../operation/operation.ts';
import { type InputError, Problem } from '../../operation/problem.ts';
import { codePointsIn, filledTextSchema, tooLongMessage } from '../../fields/text-length.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';
import { isObject } from '../../site/json-object.ts';
import { meaning } from '../../operation/unknown-names.ts';
import { check, withExpectation, inputProblem, throwIfAny } from '../../operation/validate.ts';
import { type StatusSnapshot, MAX_NOTE_LENGTH, writeEntry } from '../change-lead.ts';
import { isEnded } from '../lead-states.ts';
import { ENDED_REQUEST_TEXT, stateAfterCustomerAction, nextOf, openOffer } from './conversation.ts';
import { booleanOf } from '../submit/lead-form.ts';
import { withFieldsOfHold } from '../holds/log-with-hold.ts';
import { digestOf } from '../submit/lead-input.ts';
import { type LeadLog, logAt, readLog, conversationOf, withEntry } from '../lead-log.ts';
import { type LeadState, SAMPLE_OFFER, sampleLog, statusOf } from '../status/lead-status.ts';
import { withProof } from '../status/proof.ts';
import { receiptOf, receiptParameter, statusResponse } from '../status/read-lead-status.ts';
import { offerState } from '../status/offer-state.ts';
import { agreedOffer } from '../status/shown-terms.ts';
import { fill } from '../../text/fill.ts';
import { endedOffers, customerForm, states } from '../../text/index.ts';

const formatNumber = (count: number): string => count.toLocaleString('en');

const OFFER_RULE = 'Send the offerId of the offer.';

const offerId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,40}$/), withExpectation(OFFER_RULE));

const message = v.pipe(
  v.strictObject({
    text: v.optional(
      v.pipe(
        filledTextSchema(MAX_NOTE_LENGTH),
        withExpectation(`Enter text of 1 to ${formatNumber(MAX_NOTE_LENGTH)} characters.`),
        v.description('Text for the provider. On its own, it is a reply.'),
      ),
    ),
    accept: v.optional(v.pipe(offerId, v.description('offerId of the open offer, to accept it.'))),
    decline: v.optional(
      v.pipe(offerId, v.description('offerId of the open offer, to decline it.')),
    ),
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

/** A message whose offerId has not been checked yet, because the check requires the lead. */
const messageWithAnyOfferId = v.strictObject({
  ...message.pipe[0].entries,
  accept: v.optional(v.unknown()),
  decline: v.optional(v.unknown()),
});

const idOf = (value: unknown): string | undefined => (v.is(offerId, value) ? value : undefined);

/** A message from the customer: a reply, or an action with optional text. */
type CustomerMessage =
  | { receipt: string; action: 'reply'; text: string }
  | {
      receipt: string;
      action: 'accept' | 'decline';
      /** Absent if the submitted value is malformed. */
      offerId?: string | undefined;
      text?: string | undefined;
    }
  | { receipt: string; action: 'withdraw'; text?: string | undefined };

const MESSAGE_RULE =
  'Send text, or one of accept, decline (with the offerId) or withdraw (true); each of these can include text.';

/** Members of a request that messages about the request do not accept. */
const REQUEST_MEMBERS = ['/subsite', '/action', '/fields', '/contact'];

const NO_CORRECTION =
  'A submitted request keeps its fields. Send the correction to the provider as text. For another item or other days, you can also withdraw the request and submit a new one with a new idempotency key.';

/**
 * All errors in an unvalidated body. A malformed offerId alone is not an error here, because the
 * answer depends on whether the lead has an open offer.
 */
export function messageFaults(body: unknown): InputError[] {
  const faults = bodyFaults(body);
  const [first, second] = faults;
  return first?.message === OFFER_RULE && !second ? [] : faults;
}

function bodyFaults(body: unknown): InputError[] {
  const decisions = ['accept', 'decline', 'withdraw'].filter(
    (name) => isObject(body) && body[name] !== undefined,
  );
  const { errors } = check(message, body);
  const [requestMemberError, ...others] = errors.filter(({ pointer }) =>
    REQUEST_MEMBERS.includes(pointer),
  );
  if (requestMemberError)
    return [
      { pointer: requestMemberError.pointer, message: NO_CORRECTION },
      ...others,
      ...errors.filter(({ pointer }) => !REQUEST_MEMBERS.includes(pointer)),
    ];
  const isEmpty =
    isObject(body) &&
    !decisions.length &&
    body['text'] === undefined &&
    body['erase'] === undefined;
  const [unknown, more] = errors.filter(({ kind }) => kind === 'unknown');
  // A single unknown member that resembles no known member is probably the text.
  const isText = isEmpty && unknown && !more && unknown.intended === undefined;
  return [
    ...errors.map((error) => (isText && error === unknown ? meaning(error, 'text') : error)),
    ...decisions.slice(1).map((name) => ({ pointer: `/${name}`, message: MESSAGE_RULE })),
    ...(isEmpty
      ? [{ pointer: '', message: MESSAGE_RULE, allowed: ['text', 'accept', 'decline', 'withdraw'] }]
      : []),
  ];
}

/** The error for a form whose text is empty or too long, worded for people. */
function formFaults({ text, ...decisions }: Readonly<Record<string, unknown>>): InputError[] {
  const trimmedText = typeof text === 'string' ? text.trim() : '';
  const count = codePointsIn(trimmedText);
  const message =
    count > MAX_NOTE_LENGTH
      ? tooLongMessage(MAX_NOTE_LENGTH, count)
      : trimmedText || Object.keys(decisions).length
        ? undefined
        : customerForm.empty;
  return message === undefined ? [] : [{ pointer: '/text', message }];
}

/**
 * Creates the operation's input from the body of a message. @throws {Problem} invalid_input with
 * every error at once
 */
export function messageTo(receipt: string, body: unknown): unknown {
  throwIfAny(messageFaults(body));
  return { ...(body as object), receipt };
}

/** Validates a body as a message. @throws {Problem} invalid_input with every error at once */
function messageOf(receipt: string, body: unknown): CustomerMessage {
  throwIfAny(messageFaults(body));
  const { text, accept, decline, withdraw } = v.parse(messageWithAnyOfferId, body);
  if (accept !== undefined) return { receipt, action: 'accept', offerId: idOf(accept), text };
  if (decline !== undefined) return { receipt, action: 'decline', offerId: idOf(decline), text };
  return withdraw
    ? { receipt, action: 'withdraw', text }
    : { receipt, action: 'reply', text: text! };
}

/**
 * Explains in one sentence why an action is not allowed. For people, the sentence uses state
 * titles.
 */
function reasonOf(customerMessage: CustomerMessage, log: LeadLog, isFormMessage: boolean): string {
  const state = isFormMessage ? states[log.status].title : log.status;
  const conversation = conversationOf(log);
  const { offer } = conversation;
  if (customerMessage.action !== 'accept' && customerMessage.action !== 'decline')
    return `The request ${customerMessage.action === 'reply' ? 'accepts no more replies' : 'cannot be withdrawn'}: its state is ${isFormMessage ? `“${state}”` : state}.`;
  if (customerMessage.offerId === undefined) return 'There is no open offer.';
  const index = log.entries.findIndex((entry) => entry.offer?.offerId === customerMessage.offerId);
  if (index === -1) return 'This request has no such offer.';
  const { ending } = offerState(log.entries, index, { agreed: agreedOffer(log) })!;
  if (ending === undefined) return 'This offer is no longer open: it was accepted.';
  if (ending === 'replaced' && offer && !isFormMessage)
    return `A newer offer has replaced this one: ${offer.offerId}.`;
  return fill(endedOffers[ending], { state });
}

/**
 * The effect of a message on a lead at `now`. @throws {Problem} conflict when its state does not
 * allow it
 */
function decideMessage(
  customerMessage: CustomerMessage,
  log: LeadLog,
  now: Date,
  { channel }: Pick<Call, 'channel'>,
) {
  const conversation = conversationOf(log);
  const open = openOffer(conversation, now);
  if ('offerId' in customerMessage && customerMessage.offerId === undefined && open)
    throw inputProblem(`/${customerMessage.action}`, OFFER_RULE, [open.offerId]);
  const targetsOpenOffer =
    !('offerId' in customerMessage) ||
    (open && open.offerId === customerMessage.offerId) ||
    undefined;
  const to =
    targetsOpenOffer && stateAfterCustomerAction(customerMessage.action, conversation, now);
  if (to) return { to, note: customerMessage.text };
  const next = nextOf(conversation, now);
  // Pages already show the allowed actions.
  const isFormMessage = channel === 'form';
  const listsNext = !isFormMessage && next.length > 0;
  throw new Problem(
    'conflict',
    [
      reasonOf(customerMessage, log, isFormMessage),
      ...(listsNext
        ? [isEnded(log.status) ? ENDED_REQUEST_TEXT : `Allowed actions: ${next.join(', ')}.`]
        : []),
    ].join(' '),
    {
      next,
      ...(listsNext &&
        open &&
        !targetsOpenOffer && {
          errors: [
            { pointer: `/${customerMessage.action}`, message: OFFER_RULE, allowed: [open.offerId] },
          ],
        }),
    },
  );
}

/** Responds to a sandbox message without storing it. */
function answerFromSample(
  customerMessage: CustomerMessage,
  call: Call,
  { site }: Context,
): LeadState {
  const { log, now } = sampleLog(site);
  const { to, note } = decideMessage(customerMessage, log, now, call);
  const entry = { status: to, at: now.toISOString(), actor: 'person' as const, note: note ?? null };
  return statusOf(withEntry(log, entry), now, site);
}

/** The original response to a repeated message. */
async function replayAnswer(
  { receipt }: CustomerMessage,
  intent: Intent,
  context: Context,
): Promise<Outcome<LeadState>> {
  const stored = await findStoredResponse<StatusSnapshot>(intent, context);
  if (!stored) throw new Error('The stored response to a message expired while it was being read.');
  const { revision, at, hold } = stored.output;
  const log = withFieldsOfHold(
    logAt(await readLog(receipt, context), revision, hold),
    context.site.registry,
  );
  return { output: statusOf(log, new Date(at), context.site), replayed: true };
}

/** Delivers a message, only once per idempotency key. @throws {Problem} */
async function deliver(
  customerMessage: CustomerMessage,
  call: Call,
  context: Context,
): Promise<Outcome<LeadState>> {
  const { receipt } = customerMessage;
  const { idempotencyKey: key } = call;
  if (receipt === SANDBOX_TOKEN)
    return { output: answerFromSample(customerMessage, call, context), replayed: false };
  const intent =
    key === undefined ? undefined : { scope: 'message', key, digest: digestOf(customerMessage) };
  return runOnce(intent, context, async () => {
    const result = await writeEntry(
      {
        lead: receipt,
        actor: 'person',
        decide: (log, time) => decideMessage(customerMessage, log, time, call),
        intent,
      },
      context,
    );
    return result
      ? { output: statusOf(result.log, result.at, context.site), replayed: false }
      : replayAnswer(customerMessage, intent!, context);
  });
}

/** The message form on the receipt page. */
export const messageForm: OperationForm<LeadState> = {
  read: ({ withdraw, ...texts }) => ({
    body: { ...texts, ...(withdraw !== undefined && { withdraw: booleanOf(withdraw) }) },
  }),
  pageAt: ({ params }) => `/receipt/${params['receipt'] ?? ''}`,
  pageOf: ({ receiptToken }) => `/receipt/${receiptToken}`,
};

/** The alternative bodies: a reply, or one action with optional text. */
const bodySchemas = (): Record<string, JsonSchema> => {
  const { properties } = jsonSchemaOf(message) as { properties: Record<string, JsonSchema> };
  const { text } = properties;
  const bodyWith = (name: string): JsonSchema => ({
    type: 'object',
    properties: { [name]: properties[name], text },
    required: [name],
    additionalProperties: false,
  });
  return {
    ReplyMessage: bodyWith('text'),
    AcceptMessage: bodyWith('accept'),
    DeclineMessage: bodyWith('decline'),
    WithdrawMessage: bodyWith('withdraw'),
  };
};

/** Operation for messages from the customer. */
export const sendMessage = defineOperation<CustomerMessage, LeadState>({
  name: 'send-message',
  summary: 'Reply, accept, decline or withdraw',
  description:
    'Sends text, accepts or declines the open offer, or withdraws the request. Returns the status of the lead. next in the status lists the allowed actions; any other action is a conflict. Only confirmed means that the provider has agreed.',
  method: 'POST',
  path: '/api/lead/{receipt}/messages',
  etag: true,
  problems: [
    'invalid_input',
    'unknown_receipt',
    'gone',
    'conflict',
    'in_flight',
    'idempotency_mismatch',
  ],

  describe(site) {
    const { components, ...response } = statusResponse(site);
    const bodies = bodySchemas();
    return {
      parameters: [receiptParameter, idempotencyParameter],
      request: {
        oneOf: Object.keys(bodies).map((name) => ({ $ref: `#/components/schemas/${name}` })),
      },
      requestExamples: {
        reply: { summary: 'Answer a question', value: { text: 'The gate is six feet wide.' } },
        accept: { summary: 'Accept the offer', value: { accept: SAMPLE_OFFER } },
        decline: {
          summary: 'Decline the offer',
          value: { decline: SAMPLE_OFFER, text: 'Could you come on a weekday?' },
        },
        withdraw: { summary: 'Withdraw the request', value: { withdraw: true } },
      },
      ...response,
      components: { ...components, ...bodies },
    };
  },

  form: messageForm,
  parse(value, _context, channel) {
    if (!isObject(value)) throwIfAny(check(message, value).errors);
    const { receipt, ...body } = isObject(value) ? value : {};
    if (channel === 'form') throwIfAny(formFaults(body));
    return messageOf(receiptOf({ receipt }), body);
  },

  async handle(customerMessage, call, context) {
    const { output, ...outcome } = await deliver(customerMessage, call, context);
    return { ...outcome, output: await withProof(output, context) };
  },
});
