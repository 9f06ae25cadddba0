import { memberOf } from '../site/json-object.ts';
import { callerOf } from '../keys/authenticate-key.ts';
import { findSampleCapabilityId } from './capability-catalog.ts';
import { jsonSchemaOf } from '../operation/json-schema.ts';
import { defineOperation, pathParameter } from '../operation/operation.ts';
import { Problem } from '../operation/problem.ts';
import { createSampleQuote, findQuote, type Quote, quoteSchema, toQuote } from './quote-record.ts';

/** Reads a quote, but only for the key that requested it. */
export const readQuote = defineOperation<{ id: string }, Quote>({
  name: 'read-quote',
  summary: 'Read a quote',
  description: 'Reads a quote that the same key requested, with its current status.',
  method: 'GET',
  path: '/api/v1/quotes/{id}',
  problems: ['unauthorized', 'not_found'],
  requiresKey: true,

  describe: (site) => ({
    parameters: [
      pathParameter('id', 'ID of the quote.', { example: createSampleQuote('').quoteId }),
    ],
    response: { $ref: '#/components/schemas/Quote' },
    responseExample: createSampleQuote(findSampleCapabilityId(site)),
    components: { Quote: jsonSchemaOf(quoteSchema) },
  }),

  parse: (value) => ({ id: String(memberOf(value, 'id')) }),

  async handle({ id }, call, context) {
    const found = await findQuote(id, callerOf(call, context).id, context);
    if (!found)
      throw new Problem(
        'not_found',
        'This key has no quote with this ID. Request one at /api/v1/quotes.',
      );
    return {
      output: toQuote(found.quote, found.task !== null, context.now(), context),
      replayed: false,
    };
  },
});
