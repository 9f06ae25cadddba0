import type { Column, SQL } from 'drizzle-orm';

/** What is known about the person who a lead is about. */
export interface Contact {
  contactName: string | null;
  contactEmail: string | null;
  contactPhone: string | null;
}

/** Leads that are erased together. */
export interface ErasedLeads {
  /** Condition that a value is the token of one of them, for statements of the same batch. */
  isErased: (token: SQL | Column) => SQL;
  /** The people they are about. */
  contacts: readonly Contact[];
}

/**
 * A feature's part in erasing leads: the statements that remove its data about the leads and the
 * people. They run in the batch that erases the leads.
 */
export type Eraser = (erased: ErasedLeads) => readonly SQL[];
