import { sql } from 'drizzle-orm';
import { findDayFaults } from './requested-days.ts';
import type { Action } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { findAction, findSubsite, listOfferedActions } from '../../site/registry.ts';
import {
  contactMethods,
  listContactFieldNames,
  QUESTION_FIELD,
} from '../../site/forms/contact-rule.ts';
import type { Context } from '../../operation/context.ts';
import { computePublishedTerms } from '../../site/forms/published-terms.ts';
import { isEmergency } from '../../site/emergency.ts';
import { planEffect } from '../effects/index.ts';
import { budgetsOf, type EffectPlan, type LeadColumns, NO_EFFECT_PLAN } from '../effects/effect.ts';
import { type BudgetCount, createDailyCallerCounts } from '../../operation/budgets.ts';
import type { Intent } from '../../operation/idempotency.ts';
import { type CallerMail, createAddressAdvice, planCallerMail } from './caller-mail.ts';
import { createEmailAdvice, findEmailFaults, findSenderFaults } from './check-emails.ts';
import type { LeadInput } from './lead-input.ts';
import type { LeadLog } from '../lead-log.ts';
import type { Call } from '../../operation/operation.ts';
import type { Warning } from '../status/lead-warnings.ts';
import { computeAnswerDeadline, leadTermsOf } from '../status/promised-answer.ts';
import type { InputError } from '../../operation/problem.ts';
import { throwIfAnyFaults } from '../../operation/validate.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';

/**
 * A plan that writes nothing and throws the errors only after the write attempt, because a repeated
 * call must get its first response instead.
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
  const listContactValues = (method: 'email' | 'phone') =>
    [
      contact[method],
      ...(action ? listContactFieldNames(action, [method]) : []).map((name) => fields[name]),
    ].flatMap((value) => (value === undefined ? [] : [String(value)]));
  const addresses = listContactValues('email');
  return {
    name: contact.name ?? (String(fields['name'] ?? '').trim() || null),
    email: addresses[0]?.toLowerCase() ?? null,
    phone: listContactValues('phone')[0] ?? null,
    addresses,
  };
}

const CONTACT_FIELD_NAMES: ReadonlySet<string> = new Set([
  'name',
  ...contactMethods,
  QUESTION_FIELD,
]);

/** Advice for a lead whose data has fields of an action but does not name the action. */
function createUnnamedActionAdvice(
  subsite: Subsite,
  { action, data }: Pick<LeadInput, 'action' | 'data'>,
): Warning[] {
  const names = Object.keys(data ?? {}).filter((name) => !CONTACT_FIELD_NAMES.has(name));
  const verbs = listOfferedActions(subsite)
    .filter(({ fields }) => names.some((name) => Object.hasOwn(fields, name)))
    .map(({ verb }) => verb);
  return action === null && verbs.length
    ? [
        {
          code: 'action_not_named',
          message: `This is a contact request: data has fields of ${verbs.join(' or ')} but no action. To submit that action, add data.action and send it with a new idempotency key.`,
        },
      ]
    : [];
}

/** A validated lead, and what was submitted with it. */
export interface Submission {
  input: LeadInput;
  call: Call;
  context: Context;
  intent: Intent | undefined;
  /** ID of the API key whose secret signs the callbacks; undefined without a callback. */
  callbackKey: string | undefined;
  fieldsPath: readonly string[];
}

/** A lead to store, with the planned effect of its action. */
export interface PreparedLead {
  now: Date;
  log: LeadLog & { reference: string };
  columns: LeadColumns;
  plan: EffectPlan;
  /** Warnings about the body, for the receipt. */
  advice: Warning[];
  /** Every submitted email address. */
  addresses: string[];
  /** The daily budgets for leads. */
  counts: readonly BudgetCount[];
  callerMail: CallerMail;
}

/** Errors in a lead that depend on the time or on settings, so parsing cannot find them. */
export function findLeadFaults(
  input: Pick<LeadInput, 'subsite' | 'action' | 'contact' | 'fields'>,
  {
    call,
    context,
    fieldsPath,
    now,
  }: Pick<Submission, 'call' | 'context' | 'fieldsPath'> & { now: Date },
): InputError[] {
  const subsite = findSubsite(context.site.registry, input.subsite)!;
  const action = input.action === null ? undefined : findAction(subsite, input.action)!;
  return [
    ...findEmailFaults(input, action, call, fieldsPath),
    ...findSenderFaults(input, action, context, fieldsPath),
    ...findDayFaults(action, input.fields, {
      context,
      service: subsite,
      now,
      channel: call.channel,
      fieldsPath,
    }),
  ];
}

/** Plans a lead and its effect, without writing anything yet. */
export async function prepareLead({
  input,
  call,
  context,
  fieldsPath,
}: Submission): Promise<PreparedLead> {
  const { site, tokens } = context;
  const now = context.now();
  const receiptToken = input.sandbox ? SANDBOX_TOKEN : tokens.receipt(now);
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
  const faults = findLeadFaults(input, { call, context, now, fieldsPath });
  const effect = action?.effect;
  const plannedCall = { input, columns, call, subsite, receiptToken, now, context, fieldsPath };
  const plan = faults.length
    ? createRejectingPlan(faults)
    : effect
      ? await planEffect({ ...plannedCall, effect, action })
      : NO_EFFECT_PLAN;
  // A script that stays within the limit per minute must not flood a provider.
  const counts = budgetsOf(plannedCall)
    ? await createDailyCallerCounts(
        { budget: 'leads', limit: 'leadsPerAddress', noun: 'request' },
        call,
        context,
      )
    : [];
  const mailedAddress = input.notify === false ? null : person.email;
  const callerMail: CallerMail =
    mailedAddress === null
      ? { uses: [] }
      : await planCallerMail(call, budgetsOf(plannedCall), context);
  // The sandbox sends no email, and importing a lead does not send any.
  const addressAdvice =
    mailedAddress === null || input.sandbox || call.channel === 'import'
      ? []
      : await createAddressAdvice(mailedAddress, context);
  const createdAt = now.toISOString();
  const isReachable = person.email !== null || person.phone !== null;
  const log = {
    receiptToken,
    reference: tokens.event(now),
    subsite: input.subsite,
    action: input.action,
    status: 'new' as const,
    createdAt,
    firstAnswerDue: computeAnswerDeadline(site.registry, input, now),
    // Nobody has to answer a subscription.
    ...(action?.purpose === 'subscription' && { dueAt: null }),
    retentionDays: leadTermsOf(site.registry, subsite, input.action).retentionDays,
    fields: input.fields,
    terms: computePublishedTerms(site.registry, input),
    isEmergency: isEmergency(action, input.fields),
    isReachable,
    hasEmail: person.email !== null,
    hasContact: isReachable || person.name !== null,
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
      ...(callerMail.warning ? [callerMail.warning] : addressAdvice),
    ],
    addresses,
    counts,
    callerMail,
  };
}
