import * as v from 'valibot';
import type { Registry } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import type { Subsite } from '../registry/subsite.ts';
import type { LeadInput } from './lead-input.ts';
import { noticeOf } from './lead-notice.ts';
import { proofSchema } from './proof.ts';
import { SANDBOX_TOKEN } from '../operation/tokens.ts';

const time = v.pipe(v.string(), v.isoTimestamp(), v.description('ISO 8601 time in UTC.'));
const address = v.pipe(v.string(), v.url());

/** What every lead door answers, contract.md “Bodies”. */
export const receiptSchema = v.pipe(
  v.strictObject({
    receiptToken: v.pipe(
      v.string(),
      v.description('21 characters that name the lead; sandbox in the sandbox.'),
    ),
    status: v.pipe(v.literal('new'), v.description('State of the lead at the start.')),
    statusUrl: v.pipe(address, v.description('Where its state is read as JSON.')),
    receiptUrl: v.pipe(address, v.description('The receipt as a page for people.')),
    subsite: v.pipe(v.string(), v.description('Subsite that received it.')),
    action: v.pipe(
      v.nullable(v.string()),
      v.description('Verb of the action; null for a plain lead.'),
    ),
    createdAt: time,
    notice: v.pipe(
      v.string(),
      v.description('What the receipt means: it is not a confirmed booking or payment.'),
    ),
    service: v.optional(
      v.pipe(
        v.strictObject({
          name: v.pipe(v.string(), v.description('Name of the subsite.')),
          title: v.pipe(v.string(), v.description('Its title.')),
          url: v.pipe(address, v.description('Its page.')),
        }),
        v.description('The service to visit next, where the action routes.'),
      ),
    ),
    previewUrl: v.optional(v.pipe(address, v.description('The storefront that was made at once.'))),
    hold: v.optional(
      v.pipe(
        v.strictObject({ expiresAt: time }),
        v.description('Until when the item is held without a confirmation.'),
      ),
    ),
    sandbox: v.optional(
      v.pipe(
        v.literal(true),
        v.description('Present when nothing was stored and nothing is sent.'),
      ),
    ),
    proof: proofSchema,
  }),
  v.description('Receipt of a lead. It is not a confirmed booking or payment.'),
);

export type Receipt = v.InferOutput<typeof receiptSchema>;
/** What an effect adds to a receipt. */
export type ReceiptExtra = Pick<Receipt, 'service' | 'previewUrl' | 'hold'>;

export const statusUrl = (base: string, token: string): string => `${base}/api/lead/${token}`;
export const receiptUrl = (base: string, token: string): string => `${base}/receipt/${token}`;

/** The receipt of a lead. `reachable` says whether it has a phone number or an email address. */
export function receipt(
  site: Site,
  lead: Pick<LeadInput, 'subsite' | 'action'> & { reachable: boolean },
  token: string,
  createdAt: string,
  extra: ReceiptExtra,
): Receipt {
  return {
    receiptToken: token,
    status: 'new',
    statusUrl: statusUrl(site.base, token),
    receiptUrl: receiptUrl(site.base, token),
    subsite: lead.subsite,
    action: lead.action,
    createdAt,
    notice: noticeOf(site.registry, { ...lead, status: 'new' }),
    ...extra,
    ...(token === SANDBOX_TOKEN && { sandbox: true as const }),
  };
}

/** Hours until an answer is promised and days until a lead is erased. */
export function leadTerms(
  registry: Registry,
  subsite: Subsite,
  verb: string | null,
): { respondWithinHours: number; retentionDays: number } {
  return subsite.actions.find((action) => action.verb === verb) ?? registry.network.leadTerms;
}
