import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';
import type { EntryOrigin } from './entry-origin.ts';
import { createLeadChangedProblem } from './lead-changed.ts';
import { type Actor, explainInvalidTransition, type LeadStatus } from './lead-states.ts';
import { writeEntry } from './write-entry.ts';

export interface LeadChange {
  receiptToken: string;
  to: LeadStatus;
  actor: Actor;
  /** Text that is shown to the customer. */
  note?: string | undefined;
  /**
   * Number of history entries that the caller has read; the change is rejected if there are more.
   */
  revision?: number | undefined;
  /** Where the caller read the lead: in a message with a link (the default) or on a page. */
  from?: 'link' | 'page' | undefined;
  origin?: EntryOrigin | undefined;
}

/**
 * Atomically changes the state of a lead with its history, event and hold. If two identical changes
 * arrive at once, the second is rejected.
 * @throws {Problem} unknown_receipt; gone when it was erased or has changed since; conflict when the
 * transition is not allowed or another request holds the item; invalid_input when the note is too
 * long
 */
export async function changeLead(
  { receiptToken, to, actor, note, revision, from, origin }: LeadChange,
  context: Context,
): Promise<void> {
  await writeEntry(
    {
      receiptToken,
      actor,
      origin,
      decide({ status, entries }) {
        if (revision !== undefined && entries.length !== revision)
          throw createLeadChangedProblem({ status, entries }, revision, from);
        const fault =
          to === 'erased' ? undefined : explainInvalidTransition(status, to, actor, note?.trim());
        if (fault) throw new Problem('conflict', fault);
        return { to, note };
      },
    },
    context,
  );
}
