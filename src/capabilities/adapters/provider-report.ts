import * as v from 'valibot';
import { normalizeTexts, oneLine } from '../../operation/normalize-text.ts';
import { jsonObject } from '../../operation/validate.ts';

/** Longest pause that a provider may ask for, in seconds. */
export const LONGEST_RETRY_SECONDS = 3600;

/**
 * What a provider says about a job: the answer to a submission and to a poll, and the body of a
 * callback.
 */
export const providerReport = v.object({
  /**
   * The provider’s id of the job: 1 to 200 visible ASCII characters, as it goes into paths and
   * headers of ours.
   */
  jobId: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,200}$/)),
  status: v.picklist(['queued', 'working', 'input_required', 'completed', 'failed', 'canceled']),
  /** With completed. */
  result: v.optional(
    v.pipe(
      jsonObject,
      v.transform((result) => normalizeTexts(result) as Record<string, unknown>),
    ),
  ),
  /** With failed: one sentence for the caller. */
  detail: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => oneLine(text).slice(0, 300)),
    ),
  ),
  /** When to ask again. */
  retryAfterSeconds: v.optional(
    v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_RETRY_SECONDS)),
  ),
});

export type ProviderReport = v.InferOutput<typeof providerReport>;

/** A report from JSON text, or undefined where it is none. */
export function readReport(text: string): ProviderReport | undefined {
  try {
    const { output, success } = v.safeParse(providerReport, JSON.parse(text));
    return success ? output : undefined;
  } catch {
    return undefined;
  }
}
