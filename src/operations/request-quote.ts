import * as v from 'valibot';
import { quotes } from '../../db/schema-capabilities.ts';
import { callerOf, requireScope } from './authenticate-key.ts';
import { capabilityCatalog } from './capability-catalog.ts';
import { CAPABILITY_BODY_BYTES, type CapabilityRequest, capabilityRequestEntries, parseCapabilityRequest } from './capability-request.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { digestOf } from './lead-input.ts';
import { defineOperation } from './operation.ts';
import { priceOf } from './price-capability.ts';
import { type Quote, quoteOf, quoteSchema, sampleQuote } from './quote-record.ts';
import { hoursLater } from './receipt.ts';

/** Hours for which a price holds. */
const HOLDS_HOURS = 24;

const request = v.strictObject(capabilityRequestEntries);

/** Prices one capability for one exact input; what is free is quoted 0.00. */
export const requestQuote = defineOperation<CapabilityRequest, Quote>({
  name: 'request-quote',
  summary: 'Quote a capability',
  description: 'Prices one capability for one exact input: compute cost plus the published operations fee, with a breakdown. What is free is quoted 0.00. The price holds until expiresAt.',
  method: 'POST',
  path: '/api/v1/quotes',
  problems: ['invalid_input', 'unauthorized', 'insufficient_scope'],
  bearer: true,
  maxBodyBytes: CAPABILITY_BODY_BYTES,

  describe(site) {
    const [first] = capabilityCatalog(site).values();
    return {
      parameters: [],
      request: { $ref: '#/components/schemas/QuoteRequest' },
      ...(first && { requestExamples: { quote: { summary: first.title, value: { capability: first.id, input: (first.inputSchema['examples'] as unknown[] | undefined)?.[0] ?? {} } } } }),
      response: { $ref: '#/components/schemas/Quote' },
      ...(first && { responseExample: sampleQuote(first.id) }),
      components: { QuoteRequest: jsonSchemaOf(request), Quote: jsonSchemaOf(quoteSchema) },
    };
  },

  parse: (value, context) => parseCapabilityRequest(request, value, context).request,

  async handle({ capability, input }, call, { site, database, tokens, now }) {
    const key = callerOf(call);
    requireScope(key, capability.id);
    const at = now();
    const row = { id: tokens.receipt(at), key: key.id, capability: capability.id, inputDigest: digestOf(input), ...priceOf(site, capability, input), createdAt: at.toISOString(), expiresAt: hoursLater(at, HOLDS_HOURS) };
    await database.writer.insert(quotes).values(row);
    return { output: quoteOf(row, false, at), replayed: false };
  },
});
