import { exampleValuesOf } from '../../fields/fields.ts';
import type { Context } from '../../operation/context.ts';
import { addHours } from '../../operation/time-arithmetic.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';
import { isEmergency } from '../../site/emergency.ts';
import { computePublishedTerms } from '../../site/forms/published-terms.ts';
import { keysOf } from '../../site/json-object.ts';
import type { Site } from '../../site/site.ts';
import { type LeadLog, type LogEntry, readCachedLog } from '../lead-log.ts';
import type { LeadStatus } from '../lead-states.ts';
import { computeAnswerDeadline } from './promised-answer.ts';
import { computeExpiry } from './request-expiry.ts';

export const SAMPLE_OFFER_ID = 'sampleOffer34678';

type SampleEntry = Omit<LogEntry, 'at'>;

const offerEntry: SampleEntry = {
  status: 'quoted',
  actor: 'provider',
  note: null,
  offer: {
    offerId: SAMPLE_OFFER_ID,
    amount: '450.00',
    currency: 'USD',
    description: 'Sample description of an offer.',
    // The offer must not look expired to readers, who compare this time with today's date.
    expiresAt: '2099-01-07T17:00:00.000Z',
    confirmOnAccept: false,
  },
};
const acknowledged: SampleEntry = {
  status: 'acknowledged',
  actor: 'provider',
  note: 'Sample text from a provider.',
};

/** What happened to the sample lead in each state after it was created. */
const entriesByStatus: Readonly<Record<Exclude<LeadStatus, 'erased'>, readonly SampleEntry[]>> = {
  new: [],
  acknowledged: [acknowledged],
  needs_info: [
    acknowledged,
    { status: 'needs_info', actor: 'provider', note: 'Sample question from a provider?' },
  ],
  quoted: [acknowledged, offerEntry],
  accepted: [acknowledged, offerEntry, { status: 'accepted', actor: 'person', note: null }],
  confirmed: [
    acknowledged,
    { status: 'confirmed', actor: 'provider', note: 'Sample text about the confirmation.' },
  ],
  declined: [
    acknowledged,
    { status: 'declined', actor: 'provider', note: 'Sample reason from a provider.' },
  ],
  withdrawn: [acknowledged, { status: 'withdrawn', actor: 'person', note: null }],
  expired: [{ status: 'expired', actor: 'system', note: null }],
};

const sampleStatuses = keysOf(entriesByStatus);

/** The format of the token of a sandbox lead: `sandbox`, or `sandbox-` and a state. */
export const SANDBOX_TOKEN_PATTERN = `^${SANDBOX_TOKEN}(?:-(?:${sampleStatuses.join('|')}))?$`;

const SANDBOX_TOKEN_REGEXP = new RegExp(SANDBOX_TOKEN_PATTERN);

export const isSandboxToken = (receiptToken: string): boolean =>
  SANDBOX_TOKEN_REGEXP.test(receiptToken);

/** A sentence that tells programs which tokens a sandbox lead can have. */
export const SANDBOX_TOKENS_TEXT = `${SANDBOX_TOKEN} returns a fixed sample with an open offer, and ${SANDBOX_TOKEN}-{state} a sample in that state: ${sampleStatuses.join(', ')}.`;

/**
 * The fixed lead behind a sandbox receipt, and the time as of which it is shown. Never stored.
 */
export function createSampleLog(
  { registry }: Site,
  receiptToken: string = SANDBOX_TOKEN,
): { log: LeadLog; now: Date } {
  const status =
    sampleStatuses.find((one) => receiptToken === `${SANDBOX_TOKEN}-${one}`) ?? 'quoted';
  const subsite = registry.subsites.find((other) => other.actions.length) ?? registry.subsites[0]!;
  const [record] = subsite.actions;
  const action = record?.verb ?? null;
  const fields = record ? exampleValuesOf(record.fields) : {};
  const createdAt = '2026-01-05T15:00:00.000Z';
  const from = new Date(createdAt);
  const firstAnswerDue = computeAnswerDeadline(registry, { subsite: subsite.name, action }, from);
  const entries: LogEntry[] = [
    { status: 'new', at: createdAt, actor: 'person', note: null },
    ...entriesByStatus[status].map((entry, index) => ({
      ...entry,
      at: status === 'expired' ? computeExpiry(firstAnswerDue) : addHours(from, index + 1),
    })),
  ];
  return {
    now: new Date(entries.at(-1)!.at),
    log: {
      receiptToken,
      subsite: subsite.name,
      action,
      status,
      createdAt,
      firstAnswerDue,
      retentionDays: 1,
      fields,
      terms: computePublishedTerms(registry, { subsite: subsite.name, action, fields }),
      isEmergency: isEmergency(record, fields),
      isReachable: true,
      hasEmail: true,
      hasContact: true,
      hasData: false,
      entries,
    },
  };
}

/**
 * Reads a lead with the current time, or the sandbox lead with its fixed time. Pass `readLog` as
 * `read` to see a change at once.
 * @throws {Problem} unknown_receipt, gone
 */
export const readLogWithTime = async (
  receiptToken: string,
  context: Context,
  read: (receiptToken: string, context: Context) => Promise<LeadLog> = readCachedLog,
): Promise<{ log: LeadLog; now: Date }> =>
  isSandboxToken(receiptToken)
    ? createSampleLog(context.site, receiptToken)
    : { log: await read(receiptToken, context), now: context.now() };
