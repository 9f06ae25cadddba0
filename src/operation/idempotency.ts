import { createHash } from 'node:crypto';
import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/index.ts';
import { idempotency } from '../../db/schema.ts';
import { onceFor } from '../site/once-for.ts';
import type { Context } from './context.ts';
import type { OperationDescription, Outcome } from './operation.ts';
import { Problem } from './problem.ts';
import { daysLater } from './later.ts';
import { insertWhere } from './statements.ts';

/** A repeatable call: its effect, the caller’s key, and the digest of its input. */
export interface Intent {
  /** The effect, not the channel: `lead`. */
  scope: string;
  key: string;
  digest: string;
}

const [SHORTEST_KEY, LONGEST_KEY] = [16, 255];

/**
 * The format of an idempotency key. Keys are global, so they must be long enough that two strangers
 * never choose the same one.
 */
export const KEY_PATTERN = `^[\\x21-\\x7e]{${SHORTEST_KEY},${LONGEST_KEY}}$`;

/** The required format of a key, for an error message. */
export const KEY_RULE = `Send a key of ${SHORTEST_KEY} to ${LONGEST_KEY} visible ASCII characters without spaces, such as a new UUID, and keep it for retries of the same intent.`;

/**
 * Validates a caller’s key; `name` is what the caller sent it as. @throws {Problem} invalid_input
 */
export function checkedKey(key: string, name = 'The idempotency key'): string {
  const message = `${name} is not valid. ${KEY_RULE}`;
  if (!new RegExp(KEY_PATTERN).test(key))
    throw new Problem('invalid_input', message, { errors: [{ pointer: '', message }] });
  return key;
}

/** The header for idempotency keys. */
export const idempotencyParameter: OperationDescription['parameters'][number] = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A key of your own, such as a UUID, new for each intent and kept for its retries: ${SHORTEST_KEY} to ${LONGEST_KEY} visible ASCII characters. The same key and body give the first answer again, with Idempotent-Replayed: true.`,
  schema: {
    type: 'string',
    minLength: SHORTEST_KEY,
    maxLength: LONGEST_KEY,
    pattern: KEY_PATTERN,
  },
  example: '0d7bd1f0-6f7c-4f9e-9f0e-3b1f6f0c2a51',
};
/** Days for which a key is kept. */
const KEPT_DAYS = 2;
/** How long a repeat waits for the first call before it is refused, in ms. */
const PATIENCE = 2_000;

interface CallUnderWay {
  digest: string;
  /** ISO 8601 time. */
  begunAt: string;
  outcome: Promise<Outcome<unknown>>;
}

const callsUnderWay = onceFor((_: Database) => new Map<string, CallUnderWay>());

/**
 * The refusal of a key that was used for another input. It does not reveal that input, because a
 * key is no proof of identity.
 */
const mismatch = (firstUsed: string) =>
  new Problem(
    'idempotency_mismatch',
    `This idempotency key was used for another input: it was first used at ${firstUsed}. Send that first input again to get its answer, or use a new key for this one.`,
  );

/**
 * A refusal with the location of the key: a member of the body, or the header, which has no
 * pointer.
 */
export const withKeyAt = (thrown: unknown, pointer: string, name: string): unknown =>
  thrown instanceof Problem && thrown.code === 'idempotency_mismatch' && !thrown.errors
    ? new Problem(thrown.code, thrown.message, {
        errors: [
          {
            pointer,
            message: `${name} was used for another input. Write a new ${pointer === '/messageId' ? 'one' : 'key'}, or send the input that it was first used with.`,
          },
        ],
      })
    : thrown;

const wasErased = () =>
  new Problem(
    'gone',
    'This idempotency key was used for a request that has been erased; it is not filed again. Use a new key for another request.',
  );

/** The stored form of a caller’s key, which is kept after an erasure. */
const storedKey = (scope: string, key: string): string =>
  createHash('sha256').update(`${scope}\n${key}`).digest('base64url');

/** Condition that a stored key has no live answer at a given time; values or placeholders. */
export const isFreeAt = (scope: string, key: string, now: string): SQL =>
  sql`not exists (select 1 from ${idempotency} where ${and(eq(idempotency.scope, scope), eq(idempotency.key, key), gt(idempotency.expiresAt, now))})`;

/** Condition that the key has no live answer, for the statement that writes one. */
export const isFree = ({ scope, key }: Intent, now: Date): SQL =>
  isFreeAt(scope, storedKey(scope, key), now.toISOString());

/** A stored answer. */
export type Remembered = typeof idempotency.$inferSelect;

/** The row with the answer to a call; `subject` is the token of what the call created. */
export const remembering = (
  { scope, key, digest }: Intent,
  subject: string,
  response: unknown,
  now: Date,
): Remembered => ({
  scope,
  key: storedKey(scope, key),
  digest,
  response,
  subject,
  createdAt: now.toISOString(),
  expiresAt: daysLater(now, KEPT_DAYS),
});

/** Writes such a row if `condition` holds, replacing a lapsed one; values or placeholders. */
export function keepWhere(row: Remembered, condition: SQL): SQL {
  const renewed = ['digest', 'response', 'subject', 'created_at', 'expires_at'].map(
    (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  );
  return sql`${insertWhere(idempotency, row, condition)} on conflict (scope, key) do update set ${sql.join(renewed, sql`, `)}`;
}

/**
 * Clears the answers of erased subjects if `done` holds; their keys stay reserved until they lapse.
 */
export const eraseAnswersOf = (subjects: SQL): SQL =>
  sql`update ${idempotency} set digest = '', response = 'null', subject = '' where ${idempotency.subject} in ${subjects}`;

/** Writes the answer to a call if `condition` holds. */
export const rememberWhere = (
  intent: Intent,
  subject: string,
  response: unknown,
  now: Date,
  condition: SQL,
): SQL => keepWhere(remembering(intent, subject, response, now), condition);

/**
 * The first answer to a call, or undefined if there is none yet.
 * @throws {Problem} idempotency_mismatch when the key was used for another input; gone when its
 * result was erased
 */
export async function recall<Output>(
  { scope, key, digest }: Intent,
  context: Context,
): Promise<Outcome<Output> | undefined> {
  // Read from the primary: a replica may not have it yet.
  const [row] = await context.database.writer
    .select({
      digest: idempotency.digest,
      response: idempotency.response,
      subject: idempotency.subject,
      createdAt: idempotency.createdAt,
    })
    .from(idempotency)
    .where(
      and(
        eq(idempotency.scope, scope),
        eq(idempotency.key, storedKey(scope, key)),
        gt(idempotency.expiresAt, context.now().toISOString()),
      ),
    );
  if (!row) return undefined;
  if (row.subject === '') throw wasErased();
  if (row.digest !== digest) throw mismatch(row.createdAt);
  return { output: row.response as Output, replayed: true };
}

/**
 * Reserves a key for an effect that is idempotent by itself, so that only a different input is
 * refused; a retry completes an interrupted call. Returns whether the key was already reserved.
 * @throws {Problem} idempotency_mismatch when the key was used for another input
 */
export async function claim(intent: Intent, subject: string, context: Context): Promise<boolean> {
  const now = context.now();
  const { rowsAffected } = await context.database.writer.run(
    rememberWhere(intent, subject, {}, now, isFree(intent, now)),
  );
  return rowsAffected === 0 && (await recall(intent, context)) !== undefined;
}

/**
 * Runs `work` once for equal intents that arrive together; the later ones wait for its answer.
 * Across processes, the write of `work` decides, by `isFree`.
 * @throws {Problem} idempotency_mismatch; in_flight when the first call takes too long to wait for
 */
export async function once<Output>(
  intent: Intent | undefined,
  context: Context,
  work: () => Promise<Outcome<Output>>,
): Promise<Outcome<Output>> {
  if (!intent) return work();
  const calls = callsUnderWay(context.database);
  const name = `${intent.scope} ${intent.key}`;
  const first = calls.get(name);
  if (!first) {
    const outcome = work().finally(() => calls.delete(name));
    calls.set(name, { digest: intent.digest, begunAt: context.now().toISOString(), outcome });
    return outcome;
  }
  if (first.digest !== intent.digest) throw mismatch(first.begunAt);
  const patience = new AbortController();
  const tooLong = wait(PATIENCE, undefined, { signal: patience.signal }).then(() => {
    throw new Problem(
      'in_flight',
      'The first request with this idempotency key is still being worked on. Send it again in a moment.',
      { headers: { 'retry-after': '1' } },
    );
  });
  try {
    const outcome = await Promise.race([first.outcome, tooLong]);
    return { output: outcome.output as Output, replayed: true };
  } finally {
    patience.abort();
    tooLong.catch(() => undefined);
  }
}
