/**
 * Minimum number of leads for a published figure, so that a handful of people cannot be identified.
 */
export const MIN_LEADS_FOR_FIGURE = 20;

/** How quickly one subsite’s leads were answered, measured from the lead store. */
export interface Responsiveness {
  /** Number of leads that the provider answered. */
  answered: number;
  /** Total number of leads. */
  of: number;
  /** Median minutes from lead to first answer; null if none was answered. */
  medianMinutes: number | null;
  /** First day included, YYYY-MM-DD. */
  since: string;
}
