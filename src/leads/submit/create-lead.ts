import { eq, sql, type SQL } from 'drizzle-orm';
import { leads } from '../../../db/schema.ts';
import { callbacks } from '../../../db/schema-deliveries.ts';
import { kindOf } from '../../fields/fields.ts';
import { compileStatement, insertWhere } from '../../operation/statements.ts';
import { findDayFaults } from './requested-days.ts';
import { requireCallbackKey } from './callback.ts';
import type { Action } from '../../registry/action.ts';
import { findAction, findSubsite } from '../../site/registry.ts';
import type { Context } from '../../operation/context.ts';
import { computePublishedTerms, toStoredTerms } from '../../site/forms/published-terms.ts';
import { isEmergency } from '../../site/emergency.ts';
import { computeEraseTime } from '../erase/erase-time.ts';
import { planEffect } from '../effects/index.ts';
import { budgetsOf, type EffectPlan, type LeadColumns, NO_EFFECT_PLAN } from '../effects/effect.ts';
import {
  type Intent,
  runOnce,
  findStoredResponse,
  createIdempotencyRow,
} from '../../operation/idempotency.ts';
import { type CallerMail, planCallerMail } from './caller-mail.ts';
import { createEmailAdvice, findEmailFaults } from './check-email-domains.ts';
import { requireContract } from './contracts.ts';
import { LEAD_SCOPE, nextFormKey } from './form-key.ts';
import { digestCanonicalJson } from '../../operation/canonical-digest.ts';
import { type LeadInput, createUnnamedActionAdvice } from './lead-input.ts';
import { rewindLog, type LeadLog, readLog } from '../lead-log.ts';
import { createLeadStatements } from '../lead-rows.ts';
import { statusOf } from '../status/lead-status.ts';
import { createSampleLog } from '../status/sample-lead.ts';
import { etagOf } from '../../operation/etag.ts';
import type { Call, Outcome } from '../../operation/operation.ts';
import type { Warning } from '../status/lead-warnings.ts';
import { withProof } from '../status/proof.ts';
import {
  computeAnswerDeadline,
  leadTermsOf,
  createLeadReceipt,
  type Receipt,
} from '../status/receipt.ts';
import type { InputError } from '../../operation/problem.ts';
import { recordUses } from '../../operation/budgets.ts';
import { throwIfAnyFaults } from '../../operation/validate.ts';
import { addHours } from '../../operation/time-arithmetic.ts';
import { detectSpamSigns } from './suspicion.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';

/** Hours within which a person's second lead for the same action is linked to the first. */
const REPEAT_HOURS = 24;
/** Maximum number of retries after a concurrent write. */
const MAX_ATTEMPTS = 5;

/**
 * A plan that writes nothing and throws the errors only after the attempt to write, because a
 * repeated call must get its first response instead.
 */
const createRejectingPlan = (faults: readonly InputError[]): EffectPlan => ({
  ...NO_EFFECT_PLAN,
  guards: [sql`false`],
  rejection: async () => (throwIfAnyFaults(faults), 'retry'),
});

/**
 * The person from the contact or else from the action's fields, and every submitted email address.
 */
function personOf(
  { contact, fields }: LeadInput,
  action: Action | undefined,
): { name: string | null; email: string | null; phone: string | null; addresses: string[] } {
  const listContactValues = (reach: 'email' | 'phone') =>
    [
      contact[reach],
      ...Object.entries(action?.fields ?? {}).map(([name, field]) =>
        kindOf(field).contactMethod === reach ? fields[name] : undefined,
      ),
    ].flatMap((value) => (value === undefined ? [] : [String(value)]));
  const addresses = listContactValues('email');
  return {
    name: contact.name ?? (String(fields['name'] ?? '').trim() || null),
    email: addresses[0]?.toLowerCase() ?? null,
    phone: listContactValues('phone')[0] ?? null,
    addresses,
  };
}

interface Submission {
  input: LeadInput;
  call: Call;
  context: Context;
  intent: Intent | undefined;
  /** ID of the API key whose secret signs the callbacks; undefined without a callback. */
  callbackKey: string | undefined;
  fieldsPath: readonly string[];
}

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
  const { request, respondBy, price } = ownStatus;
  return {
    ...createLeadReceipt(site, log, plan.extra, advice),
    request,
    ...(respondBy !== undefined && { respondBy }),
    ...(price && { price }),
    statusEtag: etagOf(JSON.stringify(await withProof(status, context))),
  };
};

/** A lead to write, with the plan of its effect. */
interface PreparedLead {
  now: Date;
  log: LeadLog & { reference: string };
  columns: LeadColumns;
  plan: EffectPlan;
  /** Warnings about the body, for the receipt. */
  advice: Warning[];
  /** Every submitted email address. */
  addresses: string[];
  callerMail: CallerMail;
}

/** Plans a lead and its effect; nothing is written yet. */
async function prepare({ input, call, context, fieldsPath }: Submission): Promise<PreparedLead> {
  const { site, tokens } = context;
  const now = context.now();
  const token = input.sandbox ? SANDBOX_TOKEN : tokens.receipt(now);
  const subsite = findSubsite(site.registry, input.subsite)!;
  const action = input.action === null ? undefined : findAction(subsite, input.action)!;
  const { addresses, ...person } = personOf(input, action);
  const columns = {
    source: input.source,
    fields: input.fields,
    data: input.data,
    contactName: person.name,
    contactEmail: person.email,
    contactPhone: person.phone,
  };
  const faults = [
    ...findEmailFaults(input, action, call, fieldsPath),
    ...findDayFaults(action, input.fields, {
      context,
      service: subsite,
      now,
      channel: call.channel,
      fieldsPath,
    }),
  ];
  const effect = action?.effect;
  const planned = { input, columns, call, subsite, token, now, context, fieldsPath };
  const plan = faults.length
    ? createRejectingPlan(faults)
    : effect
      ? await planEffect({ ...planned, effect, action })
      : NO_EFFECT_PLAN;
  const callerMail: CallerMail =
    person.email !== null && input.notify !== false
      ? await planCallerMail(call, budgetsOf(planned), context)
      : { counts: [] };
  const createdAt = now.toISOString();
  const reachable = person.email !== null || person.phone !== null;
  const log = {
    token,
    reference: tokens.event(now),
    subsite: input.subsite,
    action: input.action,
    status: 'new' as const,
    createdAt,
    respondBy: computeAnswerDeadline(site.registry, input, now),
    // Nobody has to answer a subscription.
    ...(action?.purpose === 'subscription' && { dueAt: null }),
    retentionDays: leadTermsOf(site.registry, subsite, input.action).retentionDays,
    fields: input.fields,
    terms: computePublishedTerms(site.registry, input),
    isEmergency: isEmergency(action, input.fields),
    reachable,
    hasEmail: person.email !== null,
    hasContact: reachable || person.name !== null,
    hasData: input.data !== null,
    entries: [{ status: 'new' as const, at: createdAt, actor: 'person' as const, note: null }],
    hold: plan.hold,
  };
  return {
    now,
    log,
    columns,
    plan,
    advice: [
      ...createUnnamedActionAdvice(subsite, input),
      ...createEmailAdvice(input, action, call),
      ...(callerMail.warning ? [callerMail.warning] : []),
    ],
    addresses,
    callerMail,
  };
}

/** Writes a lead and its dependent rows; returns whether it was written. */
async function write(
  { now, log, columns, plan, addresses, callerMail }: PreparedLead,
  { input, call, context, intent, callbackKey }: Submission,
  answer: Receipt,
): Promise<boolean> {
  const { token, createdAt, respondBy, retentionDays } = log;
  const lead = {
    token,
    subsite: log.subsite,
    action: log.action,
    ...columns,
    emergency: log.isEmergency,
    channel: call.channel,
    status: answer.status,
    suspicions: detectSpamSigns({ isHoneypotFilled: call.suspected === true, addresses }),
    importKey: plan.importKey ?? null,
    notify: (input.notify ?? true) && !callerMail.warning,
    createdAt,
    updatedAt: createdAt,
    respondBy,
    dueAt: log.dueAt === null ? null : respondBy,
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
            { lead: token, url: input.callback.url, key: callbackKey },
            written,
          ),
        ]
      : [];
  const statements = createLeadStatements(
    {
      lead,
      repeatsSince: addHours(now, -REPEAT_HOURS),
      eventId: log.reference,
      storedAnswer: intent && createIdempotencyRow(intent, token, answer, now),
    },
    plan.guards.length || plan.rows || callbackKey
      ? {
          ...plan,
          rows: (written) => [...(plan.rows?.(written) ?? []), ...createCallbackRows(written)],
        }
      : undefined,
  );
  const isWritten = sql`exists (select 1 from ${leads} where ${eq(leads.token, token)})`;
  // An ID of its own, so that nothing links the caller's address to the lead.
  const callerUses = recordUses(callerMail.counts, context.tokens.event(now), isWritten);
  const [first] = await context.database.writer.$client.batch(
    [...statements, ...callerUses.map((use) => compileStatement(use)({}))],
    'write',
  );
  return first!.rowsAffected > 0;
}

/** Makes one attempt; undefined if a concurrent write requires a new plan. */
async function attempt(submission: Submission): Promise<Outcome<Receipt> | undefined> {
  const { input, call, context, intent } = submission;
  const preparedLead = await prepare(submission);
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
  if (rejection === 'retry') return undefined;
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
 * rejects; idempotency_mismatch; in_flight
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
      ? await nextFormKey(idempotencyKey, context)
      : idempotencyKey;
  const callbackKey = input.callback && (await requireCallbackKey(call));
  const intent =
    key === undefined
      ? undefined
      : { scope: LEAD_SCOPE, key, digest: digestCanonicalJson(identity) };
  const submission = { input, call, context, intent, callbackKey, fieldsPath };
  // The sandbox stores nothing, so it does not use up an idempotency key. A key that a real request
  // has used counts as used for another input.
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
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
        const outcome = await attempt(submission);
        if (outcome) return outcome;
      }
      throw new Error('A lead could not be written: each attempt conflicted with another write.');
    },
  );
  return { ...outcome, output: await withProof(output, context) };
}
