import type { SQL } from 'drizzle-orm';

/** Who a lead is about, as far as it is known. */
export interface Contact {
  contactName: string | null;
  contactEmail: string | null;
  contactPhone: string | null;
}

/** A lead that is being erased. */
export interface ErasedLead {
  /** Token of its receipt. */
  lead: string;
  contact: Contact;
}

/**
 * What a feature does when a lead is erased: the statements that remove what its own tables keep of
 * the lead and of the person. They run in the batch that erases the lead, and change rows only
 * where `done` holds.
 */
export type Eraser = (erased: ErasedLead, done: SQL) => readonly SQL[];
