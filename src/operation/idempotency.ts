import { createHash } from 'node:crypto';
import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/index.ts';
import { idempotency } from '../../db/schema.ts';
import { memoize } from '../site/memoize.ts';
import { digestCanonicalJson } from './canonical-digest.ts';
import type { Context } from './context.ts';
import { headerParameter, type Outcome } from './operation.ts';
import { Problem } from './problem.ts';
import { addDaysToTime } from './time-arithmetic.ts';
import { insertWhere } from './statements.ts';

/** A repeatable call: its effect, the caller's key, and the digest of the input. */
export interface Intent {
  /**
   * The effect, such as `lead`, not the channel. Scopes that belong to an API key end with a space
   * and its ID; the keys of other scopes are shared by all callers.
   */
  scope: string;
  key: string;
  digest: string;
}

/** The intent of a request with an idempotency key; undefined without a key. */
export const createIntent = (
  scope: string,
  key: string | undefined,
  input: unknown,
): Intent | undefined =>
  key === undefined ? undefined : { scope, key, digest: digestCanonicalJson(input) };

const [MIN_KEY_LENGTH, MAX_KEY_LENGTH] = [16, 255];

/** The minimum length keeps two callers from choosing the same key, because keys are global. */
export const KEY_PATTERN = `^[\\x21-\\x7e]{${MIN_KEY_LENGTH},${MAX_KEY_LENGTH}}$`;

export const KEY_RULE = `Send a key of ${MIN_KEY_LENGTH} to ${MAX_KEY_LENGTH} visible ASCII characters without spaces, such as a new UUID, and reuse it for retries of the same request.`;

const KEY_REGEXP = new RegExp(KEY_PATTERN);

export const isValidKey = (key: string): boolean => KEY_REGEXP.test(key);

/**
 * Validates a caller's key; `name` is its location in the request. @throws {Problem} invalid_input
 */
export function requireValidKey(key: string, name = 'The idempotency key'): string {
  const message = `${name} is not valid. ${KEY_RULE}`;
  if (!isValidKey(key))
    throw new Problem('invalid_input', message, { errors: [{ pointer: '', message }] });
  return key;
}

/** The key and message ID in documentation, which callers copy. */
export const SAMPLE_KEY = '0d7bd1f0-6f7c-4f9e-9f0e-3b1f6f0c2a51';

const describeSampleFault = (name: string) =>
  `${name} is the sample from the documentation, which other callers may send too. Send one of your own, such as a new UUID. With "sandbox": true, a submission accepts the sample.`;

const SAMPLE_KEY_FAULT = describeSampleFault('This idempotency key');

/** Rejects the sample key where callers share keys. @throws {Problem} invalid_input */
function rejectSampleKey({ scope, key }: Intent): void {
  if (key === SAMPLE_KEY && !scope.includes(' '))
    throw new Problem('invalid_input', SAMPLE_KEY_FAULT);
}

export const idempotencyParameter = headerParameter(
  'Idempotency-Key',
  `A unique key such as a UUID, the same for all retries of a request, ${MIN_KEY_LENGTH} to ${MAX_KEY_LENGTH} visible ASCII characters. The same key and body return the first response again, with Idempotent-Replayed: true.`,
  {
    schema: {
      type: 'string',
      minLength: MIN_KEY_LENGTH,
      maxLength: MAX_KEY_LENGTH,
      pattern: KEY_PATTERN,
    },
    example: SAMPLE_KEY,
  },
);
const RETENTION_DAYS = 2;
/** How long a repeated call waits by default, in ms. */
const REPEAT_WAIT_MS = 2_000;

interface PendingCall {
  digest: string;
  /** ISO 8601 time. */
  startedAt: string;
  outcome: Promise<Outcome<unknown>>;
}

const pendingCallsOf = memoize((_: Database) => new Map<string, PendingCall>());

/**
 * The problem for a key that was used with another input. It does not reveal the input, because a
 * key does not authenticate the caller.
 */
const createMismatchProblem = (firstUsedAt: string) =>
  new Problem(
    'idempotency_mismatch',
    `This idempotency key was first used with another input, at ${firstUsedAt}. Send that input again to get its response, or use a new key for a new request. To correct a submitted request, withdraw it before you send a new one.`,
  );

/** Adds the key's location to a problem: a pointer into the body, or none for the header. */
export function withKeyLocation(thrown: unknown, pointer: string, name: string): unknown {
  if (!(thrown instanceof Problem) || thrown.errors) return thrown;
  const isSample = thrown.message === SAMPLE_KEY_FAULT;
  if (thrown.code !== 'idempotency_mismatch' && !isSample) return thrown;
  const message = isSample
    ? describeSampleFault(name)
    : `${name} was used for another input. Send a new ${pointer === '/messageId' ? 'one' : 'key'}, or send the input that it was first used with.`;
  return new Problem(thrown.code, thrown.message, { errors: [{ pointer, message }] });
}

const createErasedProblem = () =>
  new Problem(
    'gone',
    'This idempotency key was used for a request that has been erased; it is not created again. Use a new key for another request.',
  );

/** The stored form of a caller's key, which remains after an erasure. */
const storedKeyOf = (scope: string, key: string): string =>
  createHash('sha256').update(`${scope}\n${key}`).digest('base64url');

/** SQL condition: a stored key has no unexpired response at `now`. Takes values or placeholders. */
export const isKeyUnusedAt = (scope: string, key: string, now: string): SQL =>
  sql`not exists (select 1 from ${idempotency} where ${and(eq(idempotency.scope, scope), eq(idempotency.key, key), gt(idempotency.expiresAt, now))})`;

/** SQL condition for storing a response: the key has no unexpired response. */
export const isKeyUnused = ({ scope, key }: Intent, now: Date): SQL =>
  isKeyUnusedAt(scope, storedKeyOf(scope, key), now.toISOString());

export type IdempotencyRow = typeof idempotency.$inferSelect;

/** The row with the response to a call; `subject` is the token of the created resource. */
export const createIdempotencyRow = (
  { scope, key, digest }: Intent,
  subject: string,
  response: unknown,
  now: Date,
): IdempotencyRow => ({
  scope,
  key: storedKeyOf(scope, key),
  digest,
  response,
  subject,
  createdAt: now.toISOString(),
  expiresAt: addDaysToTime(now, RETENTION_DAYS),
});

/**
 * The statement that stores a row, or replaces an expired row, if `condition` is true. Takes values
 * or placeholders.
 */
export function storeRowIf(row: IdempotencyRow, condition: SQL): SQL {
  const updates = ['digest', 'response', 'subject', 'created_at', 'expires_at'].map(
    (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  );
  return sql`${insertWhere(idempotency, row, condition)} on conflict (scope, key) do update set ${sql.join(updates, sql`, `)}`;
}

/** The statement that clears stored responses; their keys remain reserved until they expire. */
export const eraseStoredResponses = (condition: SQL): SQL =>
  sql`update ${idempotency} set digest = '', response = 'null', subject = '' where ${condition}`;

export const storeResponseIf = (
  intent: Intent,
  subject: string,
  response: unknown,
  now: Date,
  condition: SQL,
): SQL => storeRowIf(createIdempotencyRow(intent, subject, response, now), condition);

/** Reads the unexpired row of a key from the primary, because a replica may lag behind. */
async function findRow(
  { scope, key }: Pick<Intent, 'scope' | 'key'>,
  { database, now }: Context,
): Promise<IdempotencyRow | undefined> {
  const [row] = await database.writer
    .select()
    .from(idempotency)
    .where(
      and(
        eq(idempotency.scope, scope),
        eq(idempotency.key, storedKeyOf(scope, key)),
        gt(idempotency.expiresAt, now().toISOString()),
      ),
    );
  return row;
}

/** The token of the resource that a key created: undefined if none, empty if it was erased. */
export const findSubject = async (
  intent: Pick<Intent, 'scope' | 'key'>,
  context: Context,
): Promise<string | undefined> => (await findRow(intent, context))?.subject;

/**
 * Reads the stored response to a call; undefined if there is none yet.
 * @throws {Problem} idempotency_mismatch when the key was used for another input; gone when its
 * result was erased
 */
export async function findStoredResponse<Output>(
  intent: Intent,
  context: Context,
): Promise<Outcome<Output> | undefined> {
  const row = await findRow(intent, context);
  if (!row) return undefined;
  if (row.subject === '') throw createErasedProblem();
  if (row.digest !== intent.digest) throw createMismatchProblem(row.createdAt);
  return { output: row.response as Output, replayed: true };
}

/**
 * Reserves a key for an effect that is already idempotent: it rejects only a different input, and a
 * retry completes an interrupted call. Returns whether the key was already reserved.
 * @throws {Problem} idempotency_mismatch when the key was used for another input; invalid_input for
 * the sample key
 */
export async function reserveKey(
  intent: Intent,
  subject: string,
  context: Context,
): Promise<boolean> {
  rejectSampleKey(intent);
  const now = context.now();
  const { rowsAffected } = await context.database.writer.run(
    storeResponseIf(intent, subject, {}, now, isKeyUnused(intent, now)),
  );
  return rowsAffected === 0 && (await findStoredResponse(intent, context)) !== undefined;
}

/**
 * Runs `work` once for identical calls that arrive together; later calls wait for the result.
 * Across processes, `isKeyUnused` in the write of `work` prevents duplicates.
 * @throws {Problem} idempotency_mismatch; in_flight if the first call takes too long; invalid_input
 * for the sample key
 */
export async function runOnce<Output>(
  intent: Intent | undefined,
  context: Context,
  work: () => Promise<Outcome<Output>>,
): Promise<Outcome<Output>> {
  if (!intent) return work();
  rejectSampleKey(intent);
  const calls = pendingCallsOf(context.database);
  const name = `${intent.scope} ${intent.key}`;
  const first = calls.get(name);
  if (!first) {
    const outcome = work().finally(() => calls.delete(name));
    calls.set(name, { digest: intent.digest, startedAt: context.now().toISOString(), outcome });
    return outcome;
  }
  if (first.digest !== intent.digest) throw createMismatchProblem(first.startedAt);
  const timeoutController = new AbortController();
  const timeout = wait(context.repeatWaitMs ?? REPEAT_WAIT_MS, undefined, {
    signal: timeoutController.signal,
  }).then(() => {
    throw new Problem(
      'in_flight',
      'The first request with this idempotency key is still in progress. Send it again in a moment.',
      { headers: { 'retry-after': '1' } },
    );
  });
  try {
    const outcome = (await Promise.race([first.outcome, timeout])) as Outcome<Output>;
    return { ...outcome, replayed: true };
  } finally {
    timeoutController.abort();
    timeout.catch(() => undefined);
  }
}
