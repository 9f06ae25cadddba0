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

/**
 * A call that may be repeated: what it does, the caller’s key, and the digest of what was asked.
 */
export interface Intent {
  /** The effect, not the channel: `lead`. */
  scope: string;
  key: string;
  digest: string;
}

const [SHORTEST_KEY, LONGEST_KEY] = [16, 255];

/**
 * What an idempotency key may be. A key names an intent to everybody, whoever sends it, so it must
 * be long enough that two strangers never choose the same one.
 */
export const KEY_PATTERN = `^[\\x21-\\x7e]{${SHORTEST_KEY},${LONGEST_KEY}}$`;

/** What a key must be, for whoever sent another one. */
export const KEY_RULE = `Send a key of ${SHORTEST_KEY} to ${LONGEST_KEY} visible ASCII characters without spaces, such as a new UUID, and keep it for retries of the same intent.`;

/**
 * A caller’s key; `pointer` is its place in the body, empty for a header. @throws {Problem}
 * invalid_input when it is not one
 */
export function checkedKey(key: string, pointer = ''): string {
  const message = `The idempotency key is not valid. ${KEY_RULE}`;
  if (!new RegExp(KEY_PATTERN).test(key))
    throw new Problem('invalid_input', message, { errors: [{ pointer, message }] });
  return key;
}

/** The header under which a call may be repeated. */
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
 * The refusal of a key that was used for another input. It does not say which, because a key proves
 * nothing.
 */
const mismatch = (firstUsed: string) =>
  new Problem(
    'idempotency_mismatch',
    `This idempotency key was used for another input: it was first used at ${firstUsed}. Send that first input again to get its answer, or use a new key for this one.`,
  );

/**
 * A refusal with the place of the key that it concerns: a member of the body, or the header, which
 * has no pointer into it.
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

/** The stored form of a caller’s key, which outlives an erase. */
const storedKey = (scope: string, key: string): string =>
  createHash('sha256').update(`${scope}\n${key}`).digest('base64url');

/** Condition that a stored key has no live answer at a time; values or placeholders. */
export const isFreeAt = (scope: string, key: string, now: string): SQL =>
  sql`not exists (select 1 from ${idempotency} where ${and(eq(idempotency.scope, scope), eq(idempotency.key, key), gt(idempotency.expiresAt, now))})`;

/** Condition that the key has no live answer, for the write that makes one. */
export const isFree = ({ scope, key }: Intent, now: Date): SQL =>
  isFreeAt(scope, storedKey(scope, key), now.toISOString());

/** A kept answer. */
export type Remembered = typeof idempotency.$inferSelect;

/** The row that keeps an answer to an intent; `subject` is the token of what the call made. */
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

/**
 * Writes such a row where `condition` holds, in the place of one that has lapsed; values or
 * placeholders.
 */
export function keepWhere(row: Remembered, condition: SQL): SQL {
  const renewed = ['digest', 'response', 'subject', 'created_at', 'expires_at'].map(
    (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  );
  return sql`${insertWhere(idempotency, row, condition)} on conflict (scope, key) do update set ${sql.join(renewed, sql`, `)}`;
}

/**
 * What is left of answers of the subjects when these are erased, where `done` holds: their keys
 * stay taken for their time.
 */
export const eraseAnswersOf = (subjects: SQL): SQL =>
  sql`update ${idempotency} set digest = '', response = 'null', subject = '' where ${idempotency.subject} in ${subjects}`;

/** Writes the answer to an intent where `condition` holds. */
export const rememberWhere = (
  intent: Intent,
  subject: string,
  response: unknown,
  now: Date,
  condition: SQL,
): SQL => keepWhere(remembering(intent, subject, response, now), condition);

/**
 * The first answer to an intent, or undefined where there is none yet.
 * @throws {Problem} idempotency_mismatch when the key was used for another input; gone when its
 * result was erased
 */
export async function recall<Output>(
  { scope, key, digest }: Intent,
  context: Context,
): Promise<Outcome<Output> | undefined> {
  // Read where it was written: a replica may not have it yet.
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
 * Takes a key for an effect that comes out the same however often it is asked for, so that only
 * another input is refused; a call that breaks off behind it is mended by its retry. Answers
 * whether the key was taken before.
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
 * Across processes it is the write of `work` that decides, by `isFree`.
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
