import type { SQL } from 'drizzle-orm';
import type { leads } from '../../../db/schema.ts';
import type { Action, Effect } from '../../registry/action.ts';
import type { Subsite } from '../../registry/subsite.ts';
import type { Budgets, Context } from '../../operation/context.ts';
import type { LeadInput } from '../lead-input.ts';
import type { LogHold } from '../lead-log.ts';
import type { Call } from '../../operation/operation.ts';
import type { ReceiptExtra } from '../receipt.ts';

/** The input of a lead, as in its row. */
export type Written = Pick<
  typeof leads.$inferSelect,
  'source' | 'fields' | 'data' | 'contactName' | 'contactEmail' | 'contactPhone'
>;

/** What an effect is planned for: a validated lead, the token it will have, and the time. */
export interface EffectCall<Kind extends Effect['kind'] = Effect['kind']> {
  effect: Extract<Effect, { kind: Kind }>;
  input: LeadInput;
  written: Written;
  call: Call;
  subsite: Subsite;
  action: Action;
  token: string;
  now: Date;
  context: Context;
  /** Where the fields are in the caller’s body, for pointers. */
  fieldsAt: readonly string[];
}

/**
 * What an effect does with the lead’s write. `guards` are conditions under which the lead is
 * written; `rows` are statements that follow it and are given the condition that it was written;
 * `refusal` says why a guard failed.
 */
export interface EffectPlan {
  extra: ReceiptExtra;
  /** What it keeps from others. */
  hold?: LogHold;
  importKey?: string;
  guards: readonly SQL[];
  rows: (written: SQL) => readonly SQL[];
  /**
   * Called when the lead was not written, and in the sandbox, where nothing is. `again` plans anew
   * and tries again; a token is the lead to return in place of this one.
   * @throws {Problem} when it is to be refused
   */
  refusal: () => Promise<'again' | { existing: string; createdAt: string }>;
}

export type PlanEffect<Kind extends Effect['kind']> = (
  call: EffectCall<Kind>,
) => Promise<EffectPlan>;

/** A text field’s value, or undefined where it was left out or blank. */
export const textOf = (input: LeadInput, field: string): string | undefined => {
  const value = input.fields[field];
  return typeof value === 'string' && value.trim() ? value.trim() : undefined;
};

/** The budgets that hold for a call: neither the operator’s own import nor a trial is limited. */
export const budgetsOf = ({
  call,
  context,
  input,
}: Pick<EffectCall, 'call' | 'context' | 'input'>): Budgets | undefined =>
  call.channel === 'import' || input.sandbox ? undefined : context.budgets;
