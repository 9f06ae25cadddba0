import { defineOperation, type OperationDescription } from '../operation/operation.ts';
import type { Context } from '../operation/context.ts';
import { jsonSchemaOf } from '../operation/json-schema.ts';
import { RECEIPT_TOKEN_PATTERN, SANDBOX_TOKEN } from '../operation/tokens.ts';
import { withProof } from './proof.ts';
import { readLogBriefly, unknownReceipt } from './lead-log.ts';
import { type LeadState, leadStatusSchema, sampleLog, statusOf } from './lead-status.ts';
import type { Site } from '../site/site.ts';

const TOKEN = new RegExp(RECEIPT_TOKEN_PATTERN);

/** The token of a receipt out of a path. @throws {Problem} unknown_receipt */
export function receiptOf(value: unknown): string {
  const { receipt } = value as { receipt: string };
  if (receipt !== SANDBOX_TOKEN && !TOKEN.test(receipt)) throw unknownReceipt();
  return receipt;
}

/** The path parameter that names a receipt. */
export const receiptParameter: OperationDescription['parameters'][number] = {
  name: 'receipt',
  in: 'path',
  required: true,
  description: 'Token of the receipt; sandbox answers a fixed sample.',
  schema: { type: 'string', pattern: `${RECEIPT_TOKEN_PATTERN}|^${SANDBOX_TOKEN}$` },
  example: SANDBOX_TOKEN,
};

/** How the answer stands in the OpenAPI document. */
export const statusResponse = (site: Site) => {
  const { log, now } = sampleLog(site);
  return {
    response: { $ref: '#/components/schemas/LeadStatus' },
    responseExample: statusOf(log, now, site),
    components: { LeadStatus: jsonSchemaOf(leadStatusSchema) },
  };
};

/** The status of a lead, or of the sandbox. @throws {Problem} unknown_receipt, gone */
export async function readStatus(receipt: string, context: Context): Promise<LeadState> {
  const { log, now } =
    receipt === SANDBOX_TOKEN
      ? sampleLog(context.site)
      : { log: await readLogBriefly(receipt, context), now: context.now() };
  return withProof(statusOf(log, now, context.site), context);
}

/** What became of a lead, for whoever holds its receipt. */
export const readLeadStatus = defineOperation<{ receipt: string }, LeadState>({
  name: 'read-lead-status',
  summary: 'Read the state of a lead',
  description:
    'The state, history and conversation of a lead, by the token of its receipt, and what its holder may do next. It never shows a contact, a ZIP code or free text of the request. Send the ETag as If-None-Match to poll for less.',
  method: 'GET',
  path: '/api/lead/{receipt}',
  problems: ['unknown_receipt', 'gone'],
  etag: true,
  describe: (site) => ({ parameters: [receiptParameter], ...statusResponse(site) }),
  parse: (value) => ({ receipt: receiptOf(value) }),
  handle: async ({ receipt }, _call, context) => ({
    output: await readStatus(receipt, context),
    replayed: false,
  }),
});
