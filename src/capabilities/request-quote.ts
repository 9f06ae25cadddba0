import { sql } from 'drizzle-orm';
import * as v from 'valibot';
import { adapters } from './adapters/index.ts';
import { quotes } from '../../db/schema-capabilities.ts';
import { callerOf, requireScope } from '../keys/authenticate-key.ts';
import { BODY_LIMIT_TEXT, MAX_CAPABILITY_BODY_BYTES } from '../operation/body-limits.ts';
import { buildCapabilityExample, findSampleCapabilityId } from './capability-catalog.ts';
import {
  type CapabilityRequest,
  authorizeCapabilityRequest,
  capabilityRequestEntries,
  parseCapabilityRequest,
} from './capability-request.ts';
import {
  createIntent,
  idempotencyParameter,
  isKeyUnused,
  runOnce,
  findStoredResponse,
  storeResponseIf,
} from '../operation/idempotency.ts';
import { jsonSchemaOf } from '../operation/json-schema.ts';
import { digestCanonicalJson } from '../operation/canonical-digest.ts';
import { defineOperation } from '../operation/operation.ts';
import { priceOf } from './price-capability.ts';
import { type Quote, toQuote, quoteSchema, createSampleQuote } from './quote-record.ts';
import { addHours } from '../operation/time-arithmetic.ts';
import { insertWhere } from '../operation/statements.ts';

/** How long a quote is valid, in hours. */
const VALIDITY_HOURS = 24;

const requestSchema = v.strictObject(capabilityRequestEntries);

/** Prices one capability for one exact input; free capabilities are quoted at 0.00. */
export const requestQuote = defineOperation<CapabilityRequest, Quote>({
  name: 'request-quote',
  summary: 'Quote a capability',
  description:
    'Prices one capability for one exact input: compute cost plus the published operations fee, with a breakdown. Free capabilities are quoted at 0.00. The price is valid until expiresAt. ' +
    BODY_LIMIT_TEXT,
  method: 'POST',
  path: '/api/v1/quotes',
  problems: [
    'invalid_input',
    'unauthorized',
    'insufficient_scope',
    'in_flight',
    'idempotency_mismatch',
  ],
  requiresKey: true,
  maxBodyBytes: MAX_CAPABILITY_BODY_BYTES,

  describe(site) {
    const sample = findSampleCapabilityId(site);
    return {
      parameters: [idempotencyParameter],
      request: { $ref: '#/components/schemas/QuoteRequest' },
      ...buildCapabilityExample('quote', site),
      response: { $ref: '#/components/schemas/Quote' },
      ...(sample && { responseExample: createSampleQuote(sample) }),
      components: { QuoteRequest: jsonSchemaOf(requestSchema), Quote: jsonSchemaOf(quoteSchema) },
    };
  },

  authorize: authorizeCapabilityRequest,
  parse: (value, context) => parseCapabilityRequest(requestSchema, value, context).request,

  async handle({ capability, input }, call, context) {
    const { site, database, tokens, now } = context;
    const { writer } = database;
    const key = callerOf(call, context);
    requireScope(key, capability.id);
    const quotedRun = { capability: capability.id, input };
    const intent = createIntent(`quote ${key.id}`, call.idempotencyKey, quotedRun);

    return runOnce(intent, context, async () => {
      const earlierResponse = intent && (await findStoredResponse<Quote>(intent, context));
      if (earlierResponse) return earlierResponse;
      adapters[capability.adapter].checkInput?.({ capability, input }, context);
      const time = now();
      const row = {
        id: tokens.receipt(time),
        key: key.id,
        capability: capability.id,
        inputDigest: digestCanonicalJson(input),
        ...priceOf(site, capability, input),
        createdAt: time.toISOString(),
        expiresAt: addHours(time, VALIDITY_HOURS),
      };
      const quote = toQuote(row, false, time, context);
      const [insertResult] = await writer.batch([
        writer.run(insertWhere(quotes, row, intent ? isKeyUnused(intent, time) : sql`true`)),
        ...(intent
          ? [
              writer.run(
                storeResponseIf(
                  intent,
                  row.id,
                  quote,
                  time,
                  sql`exists (select 1 from ${quotes} where id = ${row.id})`,
                ),
              ),
            ]
          : []),
      ]);
      if (insertResult.rowsAffected > 0) return { output: quote, replayed: false };
      return (await findStoredResponse<Quote>(intent!, context))!;
    });
  },
});
