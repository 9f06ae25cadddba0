import { memberOf } from '../../site/json-object.ts';
import {
  type Call,
  defineOperation,
  headerParameter,
  type Outcome,
  pathParameter,
  queryParameter,
} from '../../operation/operation.ts';
import type { Context } from '../../operation/context.ts';
import { jsonSchemaOf } from '../../operation/json-schema.ts';
import { Problem } from '../../operation/problem.ts';
import { waitListOf } from '../../operation/waits.ts';
import {
  RECEIPT_TOKEN_PATTERN,
  isReference,
  normalizeReference,
  SANDBOX_TOKEN,
} from '../../operation/tokens.ts';
import { withProof } from './proof.ts';
import { throwIfAnyFaults } from '../../operation/validate.ts';
import { createUnknownReceiptProblem, type LeadLog, readLog } from '../lead-log.ts';
import { leadChanges, computeMsUntilExpiry } from './follow-lead.ts';
import { type LeadState, leadStatusSchema, statusOf } from './lead-status.ts';
import {
  createSampleLog,
  isSandboxToken,
  SANDBOX_TOKEN_PATTERN,
  SANDBOX_TOKENS_TEXT,
  readLogWithTime,
} from './sample-lead.ts';
import type { Site } from '../../site/site.ts';

const TOKEN_REGEXP = new RegExp(RECEIPT_TOKEN_PATTERN);
const UUID_REGEXP = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Matches the path of a receiptUrl or a statusUrl, which ends with the token. */
const RECEIPT_PATH_PATTERN = /^\/(?:receipt|api\/lead)\/([^/]+)$/;

/** Extracts the token from a receiptUrl or a statusUrl. Returns other text unchanged. */
function extractToken(text: string): string {
  return RECEIPT_PATH_PATTERN.exec(URL.parse(text)?.pathname ?? '')?.[1] ?? text;
}

/**
 * Validates a receipt token, which may be given as a receiptUrl or a statusUrl.
 * @throws {Problem} unknown_receipt
 */
export function parseReceiptToken(value: unknown): string {
  const receiptToken = extractToken(String(memberOf(value, 'receipt')).trim());
  if (isSandboxToken(receiptToken) || TOKEN_REGEXP.test(receiptToken)) return receiptToken;
  if (receiptToken.startsWith('sandbox'))
    throw new Problem('unknown_receipt', `No sample has this token: ${SANDBOX_TOKENS_TEXT}`);
  if (UUID_REGEXP.test(receiptToken))
    throw new Problem(
      'unknown_receipt',
      'This looks like an A2A task ID or an idempotency key. Use the receiptToken, the last part of statusUrl.',
    );
  throw isReference(normalizeReference(receiptToken))
    ? new Problem(
        'unknown_receipt',
        'This is a reference for phone calls. Send the receiptToken or the receiptUrl instead.',
      )
    : createUnknownReceiptProblem();
}

export const receiptParameter = pathParameter(
  'receipt',
  `Token of the receipt; ${SANDBOX_TOKENS_TEXT}`,
  {
    schema: { type: 'string', pattern: `${RECEIPT_TOKEN_PATTERN}|${SANDBOX_TOKEN_PATTERN}` },
    example: SANDBOX_TOKEN,
  },
);

/**
 * Maximum wait for a change, in seconds. Servers and proxies close idle connections after 75
 * seconds.
 */
const MAX_WAIT_SECONDS = 60;

const waitParameter = queryParameter(
  'wait',
  'Seconds to wait for a change if If-None-Match matches the current state; without a change, the response is 304. A declined, withdrawn or expired lead can only be erased. The sandbox never changes.',
  { schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS }, example: 0 },
);

const etagParameter = headerParameter(
  'If-None-Match',
  'ETag of the latest response that the caller received.',
);

export const createStatusResponse = (site: Site) => {
  const { log, now } = createSampleLog(site);
  return {
    response: { $ref: '#/components/schemas/LeadStatus' },
    responseExample: statusOf(log, now, site),
    components: { LeadStatus: jsonSchemaOf(leadStatusSchema) },
  };
};

/** Reads the status of a lead or the sandbox lead. @throws {Problem} unknown_receipt, gone */
export async function readStatus(receiptToken: string, context: Context): Promise<LeadState> {
  const { log, now } = await readLogWithTime(receiptToken, context);
  return withProof(statusOf(log, now, context.site), context);
}

/** Parses the seconds to wait from a query. @throws {Problem} invalid_input */
function parseWait(value: unknown): number {
  const wait = memberOf(value, 'wait') ?? '0';
  const isValidWait =
    typeof wait === 'string' && /^\d{1,2}$/.test(wait) && Number(wait) <= MAX_WAIT_SECONDS;
  const rule = `The query parameter wait is not valid. Send it once, as whole seconds from 0 to ${MAX_WAIT_SECONDS}.`;
  throwIfAnyFaults(isValidWait ? [] : [{ pointer: '/wait', message: rule }]);
  return Number(wait);
}

/** Retry-After in seconds for a caller that cannot wait because too many others are waiting. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Reads the status, unless the caller already has it. This is a separate function so that the
 * status does not stay in memory during the wait.
 */
async function readStatusIfChanged(
  log: LeadLog,
  now: Date,
  isKnown: NonNullable<Call['isKnown']>,
  context: Context,
): Promise<LeadState | undefined> {
  const status = await withProof(statusOf(log, now, context.site), context);
  return isKnown(status) ? undefined : status;
}

/**
 * Returns the status of a lead or the sandbox lead: immediately if the caller does not have it yet,
 * or else after a change or the given number of seconds. If too many callers are waiting, responds
 * immediately with Retry-After.
 * @throws {Problem} unknown_receipt; gone when it was erased, even during the wait
 */
async function awaitStatus(
  receiptToken: string,
  seconds: number,
  { isKnown, address, signal }: Call & Required<Pick<Call, 'isKnown'>>,
  context: Context,
): Promise<Pick<Outcome<LeadState>, 'output' | 'headers'>> {
  const end = performance.now() + 1000 * seconds;
  // Acquire the slot before the read, so that no change is missed.
  const slot = waitListOf(context.database).enter(leadChanges, receiptToken, { address, signal });
  try {
    let { log, now } = await readLogWithTime(receiptToken, context);
    for (;;) {
      const remainingMs = end - performance.now();
      // Callers also wait for a lead that has ended, which can still be erased; otherwise, they
      // would repeat the request immediately.
      const canWait = slot && !slot.ended && remainingMs > 0;
      const changedStatus = await readStatusIfChanged(
        log,
        now,
        canWait ? isKnown : () => false,
        context,
      );
      if (changedStatus)
        return {
          output: changedStatus,
          ...(!slot && { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } }),
        };
      await slot?.change(log.entries.length, Math.min(remainingMs, computeMsUntilExpiry(log, now)));
      if (!slot?.ended) ({ log, now } = await readLogWithTime(receiptToken, context, readLog));
    }
  } finally {
    slot?.leave();
  }
}

export const readLeadStatus = defineOperation<{ receiptToken: string; wait?: number }, LeadState>({
  name: 'read-lead-status',
  summary: 'Read the state of a lead',
  description:
    'Returns the state, history and conversation of a lead, by receipt token, and the allowed next actions. Never shows a contact, a ZIP code or free text from the request; messages are shown as they were sent. Send the ETag of the last response as If-None-Match to get 304 if nothing has changed, and add wait=60 to wait for a change. Unknown query parameters are rejected. At most four callers per address can wait at a time; additional callers get an immediate response with Retry-After.',
  method: 'GET',
  path: '/api/lead/{receipt}',
  problems: ['invalid_input', 'unknown_receipt', 'gone'],
  query: ['wait'],
  etag: true,
  describe: (site) => ({
    parameters: [receiptParameter, waitParameter, etagParameter],
    ...createStatusResponse(site),
    mayBeBusy: true,
  }),
  parse: (value) => ({ receiptToken: parseReceiptToken(value), wait: parseWait(value) }),
  async handle({ receiptToken, wait = 0 }, call, context) {
    const { isKnown } = call;
    const answer =
      isKnown && wait > 0
        ? await awaitStatus(receiptToken, wait, { ...call, isKnown }, context)
        : { output: await readStatus(receiptToken, context) };
    return { ...answer, replayed: false };
  },
});
