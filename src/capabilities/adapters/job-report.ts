import * as v from 'valibot';
import { normalizeTexts, collapseToLine } from '../../operation/normalize-text.ts';
import { jsonObject } from '../../operation/validate.ts';

/** Maximum pause that a provider may ask for, in seconds. */
export const MAX_RETRY_SECONDS = 3600;

/**
 * A provider's report about a job: the response to a submission or poll, or the body of a callback.
 */
export const jobReportSchema = v.object({
  /**
   * The provider's job ID: 1 to 200 visible ASCII characters, because paths and headers contain it.
   */
  jobId: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,200}$/)),
  status: v.picklist(['queued', 'working', 'input_required', 'completed', 'failed', 'canceled']),
  /** The result; present if the job is completed. */
  result: v.optional(
    v.pipe(
      jsonObject,
      v.transform((result) => normalizeTexts(result) as Record<string, unknown>),
    ),
  ),
  /** Why the job failed, in one sentence for the caller. */
  detail: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => collapseToLine(text.slice(0, 300))),
    ),
  ),
  /** Seconds until the next poll. */
  retryAfterSeconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_RETRY_SECONDS))),
});

export type JobReport = v.InferOutput<typeof jobReportSchema>;

/** A report from JSON text, or undefined if it is invalid. */
export function parseJobReport(text: string): JobReport | undefined {
  try {
    const { output, success } = v.safeParse(jobReportSchema, JSON.parse(text));
    return success ? output : undefined;
  } catch {
    return undefined;
  }
}
