import type { SQL } from 'drizzle-orm';
import { callbacks } from '../../../db/schema-deliveries.ts';
import { insertWhere } from '../../operation/statements.ts';
import { requireCallbackKey } from './callback.ts';
import type { Context } from '../../operation/context.ts';
import { toStoredTerms } from '../../site/forms/published-terms.ts';
import { computeEraseTime } from '../erase/erase-time.ts';
import { repeatUntilWritten } from '../../operation/repeat-writes.ts';
import {
  createIntent,
  runOnce,
  findStoredResponse,
  findSubject,
  createIdempotencyRow,
} from '../../operation/idempotency.ts';
import { requireContract } from './contracts.ts';
import type { LeadInput } from './lead-input.ts';
import { rewindLog, type LeadLog, readLog } from '../lead-log.ts';
import { createLeadStatements } from '../lead-rows.ts';
import { isEnded } from '../lead-states.ts';
import { statusOf } from '../status/lead-status.ts';
import { createSampleLog } from '../status/sample-lead.ts';
import { jsonEtagOf } from '../../operation/etag.ts';
import type { Call, Outcome } from '../../operation/operation.ts';
import { withProof } from '../status/proof.ts';
import { createLeadReceipt, type Receipt } from '../status/receipt.ts';
import { findBudgetRejection, selectLimited } from '../../operation/budgets.ts';
import { addHours } from '../../operation/time-arithmetic.ts';
import { detectSpamSigns } from './suspicion.ts';
import { type PreparedLead, prepareLead, type Submission } from './prepare-lead.ts';

/** The scope of the keys that create leads. */
const LEAD_SCOPE = 'lead';

/** How many more requests a form can create with the same key; limited because each one is read. */
const MAX_RESUBMISSIONS = 20;

/**
 * The idempotency key for a form that is sent with `key`. A form keeps its key on a page that a
 * person goes back to. Once the form's request has ended, sending the form again creates a new
 * request with another key, which is the same for every repeat of that request. After 20 new
 * requests, the last one is shown again.
 */
async function findNextFormKey(
  key: string,
  context: Context,
  resubmissions = MAX_RESUBMISSIONS,
): Promise<string> {
  const receiptToken = await findSubject({ scope: LEAD_SCOPE, key }, context);
  const isRepeat =
    resubmissions === 0 ||
    receiptToken === undefined ||
    (receiptToken && !isEnded((await readLog(receiptToken, context)).status));
  // Callers’ keys contain no spaces.
  return isRepeat ? key : findNextFormKey(`${key} again`, context, resubmissions - 1);
}

/** Hours within which a person's second lead for the same action is linked to the first. */
const REPEAT_HOURS = 24;

/**
 * Creates the receipt of a lead or a sandbox lead. `shown` is the lead behind the status URL, for
 * the ETag.
 */
const receiptOf = async (
  log: LeadLog,
  { plan, advice }: Pick<PreparedLead, 'plan' | 'advice'>,
  shown: { log: LeadLog; now: Date },
  context: Context,
): Promise<Receipt> => {
  const { site } = context;
  const status = statusOf(shown.log, shown.now, site);
  const ownStatus = shown.log === log ? status : statusOf(log, new Date(log.createdAt), site);
  const { request, respondBy, price, warnings = [] } = ownStatus;
  return {
    ...createLeadReceipt(site, log, plan.extra, [...warnings, ...advice]),
    request,
    ...(respondBy !== undefined && { respondBy }),
    ...(price && { price }),
    statusEtag: jsonEtagOf(await withProof(status, context)),
  };
};

async function write(
  { now, log, columns, plan, addresses, counts, callerMail }: PreparedLead,
  { input, call, context, intent, callbackKey }: Submission,
  answer: Receipt,
): Promise<boolean> {
  const { receiptToken, createdAt, firstAnswerDue, retentionDays } = log;
  const lead = {
    token: receiptToken,
    subsite: log.subsite,
    action: log.action,
    ...columns,
    emergency: log.isEmergency,
    channel: call.channel,
    status: answer.status,
    suspicions: detectSpamSigns(call, addresses),
    importKey: plan.importKey ?? null,
    notify: (input.notify ?? true) && !callerMail.warning,
    createdAt,
    updatedAt: createdAt,
    respondBy: firstAnswerDue,
    dueAt: log.dueAt === null ? null : firstAnswerDue,
    answerOwed: log.dueAt !== null,
    terms: toStoredTerms(log.terms),
    retentionDays,
    eraseAt: computeEraseTime(log, now, context.site.registry),
  };
  const createCallbackRows = (written: SQL) =>
    input.callback && callbackKey
      ? [
          insertWhere(
            callbacks,
            { lead: receiptToken, url: input.callback.url, key: callbackKey },
            written,
          ),
        ]
      : [];
  const statements = createLeadStatements(
    {
      lead,
      repeatsSince: addHours(now, -REPEAT_HOURS),
      eventId: log.reference,
      storedResponse: intent && createIdempotencyRow(intent, receiptToken, answer, now),
      uses: selectLimited([...counts, ...callerMail.uses]),
      usesId: context.tokens.event(now),
    },
    plan.guards.length || plan.rows || callbackKey
      ? {
          ...plan,
          rows: (written) => [...(plan.rows?.(written) ?? []), ...createCallbackRows(written)],
        }
      : undefined,
  );
  const [first] = await context.database.writer.$client.batch(statements, 'write');
  return first!.rowsAffected > 0;
}

/** Makes one attempt; `retry` if a concurrent write requires a new plan. */
async function attempt(submission: Submission): Promise<Outcome<Receipt> | 'retry'> {
  const { input, call, context, intent } = submission;
  const preparedLead = await prepareLead(submission);
  const { now, log, plan } = preparedLead;
  if (input.sandbox) {
    const rejection = await plan.rejection();
    // A dry run of an import checks existing leads; for other calls, the sandbox is empty.
    const replayed = call.channel === 'import' && rejection !== 'retry';
    const sample = createSampleLog(context.site);
    return { output: await receiptOf(log, preparedLead, sample, context), replayed };
  }
  const answer = await receiptOf(log, preparedLead, { log, now }, context);
  if (await write(preparedLead, submission, answer)) return { output: answer, replayed: false };

  const earlier = intent && (await findStoredResponse<Receipt>(intent, context));
  if (earlier) return earlier;
  const rejection = await plan.rejection();
  if (rejection === 'retry') {
    const budgetRejection = await findBudgetRejection(preparedLead.counts, context);
    if (budgetRejection) throw budgetRejection;
    return rejection;
  }
  const initialLog = rewindLog(await readLog(rejection.existing, context), 1, undefined);
  const shown = { log: initialLog, now: new Date(rejection.createdAt) };
  return { output: await receiptOf(initialLog, preparedLead, shown, context), replayed: true };
}

/**
 * Atomically writes a validated lead with its history, outbox entry, effect rows and idempotency
 * record. `fieldsPath` is the location of the fields in the caller's body, for error pointers. A
 * repeated call gets the first response, even if the contract of the action has changed since.
 * @throws {Problem} contract_changed; unauthorized or insufficient_scope for a callback without the
 * right key; invalid_input, conflict, budget_exceeded, idempotency_mismatch or gone when an effect
 * rejects; idempotency_mismatch; in_flight; unavailable when too many writes conflict
 */
export async function createLead(
  input: LeadInput,
  call: Call,
  context: Context,
  fieldsPath: readonly string[] = ['fields'],
): Promise<Outcome<Receipt>> {
  const { contract, ...identity } = input;
  const { idempotencyKey } = call;
  const key =
    idempotencyKey !== undefined && call.channel === 'form'
      ? await findNextFormKey(idempotencyKey, context)
      : idempotencyKey;
  const callbackKey = input.callback && (await requireCallbackKey(call));
  const intent = createIntent(LEAD_SCOPE, key, identity);
  const submission = { input, call, context, intent, callbackKey, fieldsPath };
  // The sandbox stores nothing, so it does not use up an idempotency key. A key that a real request
  // has used counts as used for a different input.
  const { output, ...outcome } = await runOnce(
    input.sandbox ? undefined : intent,
    context,
    async () => {
      if (input.sandbox && intent) await findStoredResponse(intent, context);
      if (contract !== undefined || call.contracts) {
        const earlier = intent && (await findStoredResponse<Receipt>(intent, context));
        if (earlier) return earlier;
        await requireContract(input, call, context);
      }
      return repeatUntilWritten(() => attempt(submission));
    },
  );
  return { ...outcome, output: await withProof(output, context) };
}
