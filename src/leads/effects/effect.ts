import type { SQL } from 'drizzle-orm';
import type { leads } from '../../../db/schema.ts';
import type { Action, Effect } from '../../registry/action.ts';
import type { Subsite } from '../../registry/subsite.ts';
import type { Budgets, Context } from '../../operation/context.ts';
import type { LeadInput } from '../submit/lead-input.ts';
import type { LogHold } from '../lead-log.ts';
import type { Call } from '../../operation/operation.ts';
import type { ReceiptExtra } from '../status/receipt.ts';

/** The input of a lead, as stored in its row. */
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
  token: string;
  now: Date;
  context: Context;
  /** Where the fields are in the caller’s body, for pointers. */
  fieldsPath: readonly string[];
}

/**
 * An effect's additions to the lead’s write. `guards` are conditions for writing the lead; `rows`
 * are further statements, given the condition that it was written; `refusal` explains a failed
 * guard.
 */
export interface EffectPlan {
  extra: ReceiptExtra;
  /** The resources that it reserves. */
  hold?: LogHold;
  importKey?: string;
  guards: readonly SQL[];
  rows: (written: SQL) => readonly SQL[];
  /**
   * Called if the lead was not written, and always in the sandbox. `retry` plans and tries again; a
   * token is the lead to return instead. @throws {Problem} to refuse the lead
   */
  refusal: () => Promise<'retry' | { existing: string; createdAt: string }>;
}

export type PlanEffect<Kind extends Effect['kind']> = (
  call: EffectCall<Kind>,
) => Promise<EffectPlan>;

/** A text field’s value, or undefined if omitted or blank. */
export const textOf = (input: LeadInput, field: string): string | undefined => {
  const value = input.fields[field];
  return typeof value === 'string' && value.trim() ? value.trim() : undefined;
};

/** The budgets that apply to a call: the operator’s own import and sandbox calls have no limit. */
export const budgetsOf = ({
  call,
  context,
  input,
}: Pick<EffectCall, 'call' | 'context' | 'input'>): Budgets | undefined =>
  call.channel === 'import' || input.sandbox ? undefined : context.budgets;
