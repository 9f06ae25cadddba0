import { createDailyCallerCounts } from '../../operation/budgets.ts';
import type { Context } from '../../operation/context.ts';
import {
  createIntent,
  type Intent,
  idempotencyParameter,
  runOnce,
  findStoredResponse,
} from '../../operation/idempotency.ts';
import {
  type Call,
  defineOperation,
  type OperationForm,
  type Outcome,
} from '../../operation/operation.ts';
import { Problem } from '../../operation/problem.ts';
import { createSampleLog, isSandboxToken, SAMPLE_OFFER_ID } from '../status/sample-lead.ts';
import { DESIRED_DAYS_INPUT } from '../../site/forms/form-inputs.ts';
import { isObject } from '../../site/json-object.ts';
import { validateValue, throwIfAnyFaults } from '../../operation/validate.ts';
import { type StatusSnapshot, writeEntry } from '../write-entry.ts';
import {
  type CustomerMessage,
  findFormFaults,
  parseMessage,
  messageSchema,
  createMessageSchemas,
} from './customer-message.ts';
import { parseBoolean } from '../submit/lead-form.ts';
import { withHoldFields } from '../holds/log-with-hold.ts';
import { type LeadLog, rewindLog, readLog, withEntry } from '../lead-log.ts';
import { type LeadState, statusOf } from '../status/lead-status.ts';
import { withProof } from '../status/proof.ts';
import {
  createOutdatedProblem,
  readMatchedRevision,
  statusEtagParameter,
} from '../status/matched-revision.ts';
import {
  parseReceiptToken,
  receiptParameter,
  createStatusResponse,
} from '../status/read-lead-status.ts';
import { customerForm } from '../../text/index.ts';
import { MAX_CUSTOMER_TEXT_LENGTH, MAX_ENTRIES, MAX_UNANSWERED } from './conversation.ts';
import { decideMessage } from './decide-message.ts';
import { softwareLocale } from '../../language.ts';

/**
 * The sandbox lead after a message, which is not stored, and the fixed time at which the lead is
 * shown.
 * @throws {Problem} as for a stored lead
 */
export function answerFromSample(
  customerMessage: CustomerMessage,
  call: Pick<Call, 'channel'>,
  { site }: Pick<Context, 'site'>,
  requireState: (log: LeadLog) => void = () => {},
): { log: LeadLog; now: Date } {
  const { log, now } = createSampleLog(site, customerMessage.receiptToken);
  requireState(log);
  const effect = decideMessage(customerMessage, log, now, {
    channel: call.channel,
    site,
  });
  if (!effect) return { log, now };
  const { to, note = null } = effect;
  const entry = { status: to, at: now.toISOString(), actor: 'person' as const, note };
  return { log: withEntry(log, entry), now };
}

async function replayAnswer(
  { receiptToken }: CustomerMessage,
  intent: Intent,
  context: Context,
): Promise<Outcome<LeadState>> {
  const stored = await findStoredResponse<StatusSnapshot>(intent, context);
  if (!stored) throw new Error('The stored response to a message expired while it was being read.');
  const { revision, at, hold } = stored.output;
  const log = withHoldFields(
    rewindLog(await readLog(receiptToken, context), revision, hold),
    context.site.registry,
  );
  return { output: statusOf(log, new Date(at), context.site), replayed: true };
}

/**
 * Delivers a message only once per idempotency key. `requireState` checks the lead in the same
 * transaction.
 * @throws {Problem}
 */
async function deliver(
  customerMessage: CustomerMessage,
  call: Call,
  context: Context,
  requireState: (log: LeadLog) => void,
): Promise<Outcome<LeadState>> {
  const { receiptToken, ...content } = customerMessage;
  const { idempotencyKey: key } = call;
  if (isSandboxToken(receiptToken)) {
    const { log, now } = answerFromSample(customerMessage, call, context, requireState);
    return { output: statusOf(log, now, context.site), replayed: false };
  }
  // Stored digests contain the name `receipt`.
  const intent = createIntent('message', key, { receipt: receiptToken, ...content });
  // Replies are limited, so that nobody can flood a provider. Decisions are always possible.
  const counts =
    customerMessage.action === 'reply'
      ? await createDailyCallerCounts(
          { budget: 'messages', limit: 'messagesPerAddress', noun: 'message' },
          call,
          context,
        )
      : [];
  return runOnce(intent, context, async () => {
    const result = await writeEntry(
      {
        receiptToken,
        actor: 'person',
        decide(log, time) {
          requireState(log);
          return decideMessage(customerMessage, log, time, {
            channel: call.channel,
            site: context.site,
          });
        },
        intent,
        counts,
      },
      context,
    );
    return result
      ? { output: statusOf(result.log, result.at, context.site), replayed: false }
      : replayAnswer(customerMessage, intent!, context);
  });
}

/**
 * Withdraws a request for a channel that cancels the request's task. The task of a confirmed
 * request has ended, so canceling open tasks never withdraws a confirmed booking, even one that is
 * confirmed at the same time.
 * @throws {Problem} conflict if the request is confirmed or has ended; gone if it was erased
 */
export async function cancelRequest(
  receiptToken: string,
  call: Call,
  context: Context,
): Promise<void> {
  await deliver({ receiptToken, action: 'withdraw' }, call, context, ({ status }) => {
    if (status === 'confirmed') throw new Problem('conflict', 'The request is confirmed.');
  });
}

export const messageForm: OperationForm<LeadState> = {
  read: ({ withdraw, [DESIRED_DAYS_INPUT]: _desiredDays, ...texts }) => ({
    body: { ...texts, ...(withdraw !== undefined && { withdraw: parseBoolean(withdraw) }) },
  }),
  pageAt: ({ params }) => `/receipt/${encodeURIComponent(params['receipt'] ?? '')}`,
  pageOf: ({ receiptToken }) => `/receipt/${receiptToken}`,
};

export const sendMessage = defineOperation<CustomerMessage, LeadState>({
  name: 'send-message',
  summary: 'Reply, accept, decline or withdraw',
  description: `Sends text, accepts or declines the open offer, or withdraws the request. Returns the status of the lead. next in the status lists the allowed actions; any other action is a conflict, except that a repeated withdrawal returns the status again. Only “confirmed” means that the provider has agreed. A customer can send ${MAX_UNANSWERED} messages in a row; after that, reply is a conflict until the provider answers, and the error has the phone number to call. In total, a request accepts ${MAX_ENTRIES} messages and changes, and ${MAX_CUSTOMER_TEXT_LENGTH.toLocaleString(softwareLocale)} characters from the customer.`,
  method: 'POST',
  path: '/api/lead/{receipt}/messages',
  etag: true,
  problems: [
    'invalid_input',
    'unknown_receipt',
    'gone',
    'conflict',
    'precondition_failed',
    'in_flight',
    'idempotency_mismatch',
    'budget_exceeded',
  ],

  describe(site) {
    const { components, ...response } = createStatusResponse(site);
    const bodies = createMessageSchemas();
    return {
      parameters: [receiptParameter, idempotencyParameter, statusEtagParameter],
      request: {
        oneOf: Object.keys(bodies).map((name) => ({ $ref: `#/components/schemas/${name}` })),
      },
      requestExamples: {
        reply: { summary: 'Answer a question', value: { text: 'The gate is six feet wide.' } },
        accept: { summary: 'Accept the offer', value: { accept: SAMPLE_OFFER_ID } },
        decline: {
          summary: 'Decline the offer',
          value: { decline: SAMPLE_OFFER_ID, text: 'Could you come on a weekday?' },
        },
        withdraw: { summary: 'Withdraw the request', value: { withdraw: true } },
      },
      ...response,
      components: { ...components, ...bodies },
    };
  },

  form: messageForm,
  parse(value, _context, channel) {
    if (!isObject(value)) throwIfAnyFaults(validateValue(messageSchema, value).errors);
    const { receipt, ...body } = isObject(value) ? value : {};
    if (channel === 'form') throwIfAnyFaults(findFormFaults(body));
    return parseMessage(parseReceiptToken({ receipt }), body);
  },

  async handle(customerMessage, call, context) {
    const revision = await readMatchedRevision(customerMessage.receiptToken, call, context);
    const { output, ...outcome } = await deliver(customerMessage, call, context, ({ entries }) => {
      if (revision !== undefined && revision !== entries.length) throw createOutdatedProblem();
    }).catch((thrown: unknown) => {
      // People do not know the form's key, which the browser restores when they go back.
      throw call.channel === 'form' &&
        thrown instanceof Problem &&
        thrown.code === 'idempotency_mismatch'
        ? new Problem('conflict', customerForm.changed)
        : thrown;
    });
    return { ...outcome, output: await withProof(output, context) };
  },
});
