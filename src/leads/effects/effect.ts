import type { SQL } from 'drizzle-orm';
import type { leads } from '../../../db/schema.ts';
import type { Action, Effect } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import {
  type BudgetCount,
  callerNounOf,
  callerRemedyOf,
  createSubjects,
} from '../../operation/budgets.ts';
import type { Budgets, Context } from '../../operation/context.ts';
import type { LeadInput } from '../submit/lead-input.ts';
import type { LogHold } from '../lead-log.ts';
import type { Call } from '../../operation/operation.ts';
import type { ReceiptExtra } from '../status/receipt.ts';

/** The columns of a lead's row that come from its input. */
export type LeadColumns = Pick<
  typeof leads.$inferSelect,
  'source' | 'fields' | 'data' | 'contactName' | 'contactEmail' | 'contactPhone'
>;

/** The input of an effect's plan: a validated lead, its future token, and the time. */
export interface EffectCall<Kind extends Effect['kind'] = Effect['kind']> {
  effect: Extract<Effect, { kind: Kind }>;
  input: LeadInput;
  columns: LeadColumns;
  call: Call;
  subsite: Subsite;
  action: Action;
  receiptToken: string;
  now: Date;
  context: Context;
  /** JSON Pointer to the fields in the caller's body. */
  fieldsPath: readonly string[];
}

/**
 * The writes that an effect adds to a lead. `guards` are conditions for writing the lead; `rows`
 * returns statements, given the condition that the lead was written.
 */
export interface EffectPlan {
  extra: ReceiptExtra;
  hold?: LogHold;
  importKey?: string;
  guards: readonly SQL[];
  rows?: (written: SQL) => readonly SQL[];
  /**
   * Called if the lead was not written, and always in the sandbox. Returns `retry` to plan and
   * write again, or an existing lead to return instead. @throws {Problem} to reject the lead
   */
  rejection: () => Promise<'retry' | { existing: string; createdAt: string }>;
}

export const NO_EFFECT_PLAN: EffectPlan = {
  extra: {},
  guards: [],
  rejection: async () => 'retry',
};

export type PlanEffect<Kind extends Effect['kind']> = (
  call: EffectCall<Kind>,
) => Promise<EffectPlan>;

/** Value of a text field; undefined if omitted or blank. */
export const textOf = (
  { fields }: Pick<LeadInput, 'fields'>,
  field: string,
): string | undefined => {
  const value = fields[field];
  return typeof value === 'string' && value.trim() ? value.trim() : undefined;
};

/** The budgets for a call. Imports by the operator and sandbox calls have no limits. */
export const budgetsOf = ({
  call,
  context,
  input,
}: Pick<EffectCall, 'call' | 'context' | 'input'>): Budgets | undefined =>
  call.channel === 'import' || input.sandbox ? undefined : context.budgets;

/** The email address and the phone number of a lead. */
export const contactsOf = ({ columns }: Pick<EffectCall, 'columns'>): string[] =>
  [columns.contactEmail, columns.contactPhone].filter((contact) => contact !== null);

/**
 * The uses of a budget that is counted per contact and per caller; empty if the call has no limits.
 * Each use says in words what it counts, ending with `period`, such as `at a time`.
 */
export async function listPersonCounts(
  effectCall: Pick<EffectCall, 'call' | 'context' | 'input' | 'columns'>,
  { period, ...count }: Omit<BudgetCount, 'subject' | 'limit' | 'scope'> & { period: string },
  limits: { contact: keyof Budgets; caller: keyof Budgets },
): Promise<BudgetCount[]> {
  const { call, context } = effectCall;
  const budgets = budgetsOf(effectCall);
  if (!budgets) return [];
  const { callerOf, contactOf } = await createSubjects(context);
  const caller = callerOf(call);
  const createCount = (subject: string, limit: keyof Budgets, person: string): BudgetCount => ({
    ...count,
    subject,
    limit: budgets[limit],
    scope: `${person} ${period}`,
  });
  return [
    ...contactsOf(effectCall).map((contact) =>
      createCount(contactOf(contact), limits.contact, 'for one contact'),
    ),
    ...(caller === undefined
      ? []
      : [
          {
            ...createCount(caller, limits.caller, `from one ${callerNounOf(call)}`),
            remedy: callerRemedyOf(call, count.remedy),
          },
        ]),
  ];
}
