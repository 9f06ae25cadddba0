import type { SQL } from 'drizzle-orm';

/** The person a lead is about, as far as known. */
export interface Contact {
  contactName: string | null;
  contactEmail: string | null;
  contactPhone: string | null;
}

/** Leads that are erased together. */
export interface ErasedLeads {
  /** The tokens of their receipts, as a list for the `in` operator. */
  tokens: SQL;
  /** The persons that they are about. */
  contacts: readonly Contact[];
}

/**
 * A feature's part of erasing leads: the statements that remove its own data about the leads and
 * the persons. They run in the batch that erases the leads.
 */
export type Eraser = (erased: ErasedLeads) => readonly SQL[];
