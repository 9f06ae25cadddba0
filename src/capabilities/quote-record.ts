import { and, eq } from 'drizzle-orm';
import * as v from 'valibot';
import { quotes, tasks } from '../../db/schema-capabilities.ts';
import type { Context } from '../operation/context.ts';
import { createAvailableDaysUrl } from '../site/hold-action.ts';
import { findAction, findSubsite } from '../site/registry.ts';
import { adapters } from './adapters/index.ts';
import { lacksJobProvider } from './adapters/job-provider-adapter.ts';
import { capabilityCatalogOf } from './capability-catalog.ts';
import { toDecimal } from './money.ts';
import { timestampSchema as time } from '../operation/text-schemas.ts';
import { withDescription, createTextSchema } from '../operation/validate.ts';

type QuoteRow = typeof quotes.$inferSelect;

const amount = createTextSchema('Decimal string with two decimal places.');

export const quoteSchema = withDescription(
  v.strictObject({
    quoteId: createTextSchema('ID for accepting the quote.'),
    capability: createTextSchema('ID of the capability.'),
    inputDigest: createTextSchema(
      'SHA-256 of the canonical JSON (RFC 8785) of the input, hexadecimal; a task must have the same input.',
    ),
    currency: createTextSchema('ISO 4217 code.'),
    amount,
    breakdown: withDescription(
      v.array(v.strictObject({ label: v.string(), amount })),
      'Items that make up the amount.',
    ),
    expiresAt: withDescription(time, 'When the quote expires.'),
    status: withDescription(
      v.picklist(['open', 'accepted', 'expired']),
      'open, accepted (a task uses it) or expired.',
    ),
    notice: v.optional(
      createTextSchema(
        'What the amount excludes, for a capability that submits a request; or a warning that a task would fail, because no provider is connected.',
      ),
    ),
  }),
  'A price for one capability and one exact input.',
);

export type Quote = v.InferOutput<typeof quoteSchema>;

/** A key's quote, with the task that uses it, read from the primary. */
export async function findQuote(
  id: string,
  key: string,
  { database }: Pick<Context, 'database'>,
): Promise<{ quote: QuoteRow; task: string | null } | undefined> {
  const [found] = await database.writer
    .select({ quote: quotes, task: tasks.id })
    .from(quotes)
    .leftJoin(tasks, eq(tasks.quote, quotes.id))
    .where(and(eq(quotes.id, id), eq(quotes.key, key)));
  return found;
}

/**
 * Warns that no provider is connected for an open quote, or says what the quote excludes if its
 * capability submits a request, and where to find a published total; otherwise, undefined.
 */
function createNotice(
  { capability, status }: Pick<Quote, 'capability' | 'status'>,
  context: Pick<Context, 'site' | 'jobProviders'>,
): string | undefined {
  const { site } = context;
  const record = capabilityCatalogOf(site).get(capability);
  if (status === 'open' && record && lacksJobProvider(adapters[record.adapter], context))
    return 'No provider is connected for this capability now, so a task would fail with provider_unavailable. It would cost nothing, and the quote would stay open. Ask the operator when a provider will be connected.';
  const service = findSubsite(site.registry, record?.subsite ?? '');
  if (record?.adapter !== 'inquiry' || !service) return undefined;
  const action = findAction(service, record.action!);
  const url = action && createAvailableDaysUrl(service, action, site.base);
  const where =
    url === undefined
      ? 'The provider sets the price of what you request.'
      : `What you request has its own price: see total in ${url}&from=YYYY-MM-DD&to=YYYY-MM-DD.`;
  return `The amount is for submitting the request. ${where}`;
}

/** A stored quote at a given time; `accepted` if a task uses it. */
export function toQuote(
  row: QuoteRow,
  accepted: boolean,
  now: Date,
  context: Pick<Context, 'site' | 'jobProviders'>,
): Quote {
  const status = accepted ? 'accepted' : row.expiresAt <= now.toISOString() ? 'expired' : 'open';
  const notice = createNotice({ capability: row.capability, status }, context);
  return {
    quoteId: row.id,
    capability: row.capability,
    inputDigest: row.inputDigest,
    currency: row.currency,
    amount: toDecimal(row.amount),
    breakdown: row.breakdown.map((line) => ({ label: line.label, amount: toDecimal(line.amount) })),
    expiresAt: row.expiresAt,
    status,
    ...(notice !== undefined && { notice }),
  };
}

export const createSampleQuote = (capability: string): Quote => ({
  quoteId: 'Q2mZ8vJt5cXo9LwRkD4hB',
  capability,
  inputDigest: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  currency: 'USD',
  amount: '0.00',
  breakdown: [],
  expiresAt: '2026-11-03T15:04:05.000Z',
  status: 'open',
});
