import * as v from 'valibot';
import { jsonSchemaOf } from '../../operation/json-schema.ts';
import { defineOperation } from '../../operation/operation.ts';
import {
  createOutdatedProblem,
  readMatchedRevision,
  statusEtagParameter,
} from '../status/matched-revision.ts';
import { isSandboxToken } from '../status/sample-lead.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';
import { eraseLead } from './erase-lead.ts';
import { parseReceiptToken, receiptParameter } from '../status/read-lead-status.ts';
import { createTextSchema } from '../../operation/validate.ts';

const erasedSchema = v.strictObject({
  receiptToken: createTextSchema('Token of the receipt, whose URLs now return 410.'),
  status: v.literal('erased'),
});

type ErasedLead = v.InferOutput<typeof erasedSchema>;

/** Erases a lead for the holder of its receipt. */
export const eraseRequest = defineOperation<{ receiptToken: string }, ErasedLead>({
  name: 'erase-lead',
  summary: 'Erase a lead',
  description:
    'Immediately and permanently erases the personal data of a lead, including messages and offers. Recipients of notifications are asked to erase their copies. The URL then returns 410, even for repeated calls.',
  method: 'DELETE',
  path: '/api/lead/{receipt}',
  hasNoBody: true,
  problems: ['unknown_receipt', 'gone', 'precondition_failed'],

  describe: () => ({
    parameters: [receiptParameter, statusEtagParameter],
    response: jsonSchemaOf(erasedSchema),
    responseExample: { receiptToken: SANDBOX_TOKEN, status: 'erased' },
  }),

  parse: (value) => ({ receiptToken: parseReceiptToken(value) }),

  async handle({ receiptToken }, call, context) {
    const revision = await readMatchedRevision(receiptToken, call, context);
    if (revision === null) throw createOutdatedProblem();
    if (!isSandboxToken(receiptToken)) await eraseLead(receiptToken, 'person', context, revision);
    return { output: { receiptToken, status: 'erased' }, replayed: false };
  },
});
