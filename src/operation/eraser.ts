import type { Column, SQL } from 'drizzle-orm';

export interface Contact {
  contactName: string | null;
  contactEmail: string | null;
  contactPhone: string | null;
}

export interface ErasedLeads {
  /**
   * Returns the SQL condition that a value is the token of an erased lead, for statements in the
   * same batch.
   */
  isErased: (token: SQL | Column) => SQL;
  /** The people in the leads; their names are included only if the operator erases the leads. */
  contacts: readonly Contact[];
}

/**
 * Returns the statements that remove a feature's data about the leads and the people. They run in
 * the batch that erases the leads.
 */
export type Eraser = (erased: ErasedLeads) => readonly SQL[];
