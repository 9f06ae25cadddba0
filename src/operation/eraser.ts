import type { SQL } from 'drizzle-orm';

/** The person a lead is about, as far as known. */
export interface Contact {
  contactName: string | null;
  contactEmail: string | null;
  contactPhone: string | null;
}

/** Leads that are being erased together. */
export interface ErasedLeads {
  /** The tokens of their receipts, as a list for the operator `in`. */
  tokens: SQL;
  /** Whom they are about. */
  contacts: readonly Contact[];
}

/**
 * What a feature does when leads are erased: the statements that remove what its own tables keep of
 * the leads and of the persons. They run in the batch that erases the leads.
 */
export type Eraser = (erased: ErasedLeads) => readonly SQL[];
