import { createHash, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { keys } from '../../db/schema-capabilities.ts';
import type { Context } from '../operation/context.ts';
import type { ActiveKey } from '../operation/operation.ts';
import { allowsCapability, CALLBACKS_SCOPE } from './key-scopes.ts';
import type { Site } from '../site/site.ts';
import { keyStateOf, type KeyState } from './key-state.ts';
import { Problem } from '../operation/problem.ts';

/** The format of a key: `fk_`, its ID, `_`, its secret. */
const KEY_PATTERN = /^fk_([a-z0-9]{10})_([A-Za-z0-9]{40})$/;
/** RFC 6750 section 2.1; the scheme is case-insensitive. */
const BEARER_PATTERN = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i;

/** Interval at which the use of a key is recorded, in ms. */
const USE_INTERVAL_MS = 60_000;

/**
 * SHA-256 of the secret of a key or a session, in hex. A slow hash would add nothing, because
 * secrets have at least 238 random bits.
 */
export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex');

// The hash to compare if no key has the ID, so that the response takes just as long.
const DUMMY_HASH = '0'.repeat(64);

/** The challenge for a key (RFC 6750 section 3). */
const BEARER_CHALLENGE = 'Bearer realm="capabilities"';

const createInvalidTokenProblem = (detail: string) =>
  new Problem('unauthorized', detail, {
    headers: { 'www-authenticate': `${BEARER_CHALLENGE}, error="invalid_token"` },
  });

const endedMessages: Readonly<Record<Exclude<KeyState, 'active'>, string>> = {
  revoked: 'The key was revoked. Ask the operator for a new one.',
  expired: 'The key has expired. Ask the operator for a new one.',
};

const createKeyInstructions = ({ base, registry: { network } }: Site): string =>
  `The operator issues keys by email: write to ${network.organization.email}. ${base}${network.agentArea} explains what to write.`;

const KEYLESS_ADVICE =
  'Without a key, you can submit actions with POST /api/lead/action and ask questions with the MCP tool ask_knowledge at /api/v1/mcp.';

/** The challenge for a request without a key has no error code (RFC 6750 section 3.1). */
const createMissingKeyProblem = (site: Site) =>
  new Problem(
    'unauthorized',
    `Send a key in the header Authorization: Bearer <API_KEY>. ${createKeyInstructions(site)} ${KEYLESS_ADVICE}`,
    { headers: { 'www-authenticate': BEARER_CHALLENGE } },
  );

function recordUse(
  id: string,
  lastUsedAt: string | null,
  now: Date,
  { database, log }: Context,
): void {
  if (lastUsedAt !== null && now.getTime() - Date.parse(lastUsedAt) < USE_INTERVAL_MS) return;
  // Do not wait for this: if the update is lost, the next use of the key repeats it.
  void Promise.resolve(
    database.writer.update(keys).set({ lastUsedAt: now.toISOString() }).where(eq(keys.id, id)),
  ).catch(() => log.warn({ key: id }, 'The use of a key was not recorded.'));
}

/**
 * The key in an Authorization header. Each request reads it from the database, so that a revocation
 * takes effect with the next request.
 * @throws {Problem} unauthorized, with `WWW-Authenticate` (RFC 6750 section 3)
 */
export async function authenticateKey(header: string | null, context: Context): Promise<ActiveKey> {
  if (!header || !/^(?:bearer\b|fk_)/i.test(header)) throw createMissingKeyProblem(context.site);
  const [, id, secret] = KEY_PATTERN.exec(BEARER_PATTERN.exec(header)?.[1] ?? '') ?? [];
  if (!id || !secret)
    throw createInvalidTokenProblem(
      `The Authorization header has no complete key. Send Bearer, a space and the whole key, as it was shown when it was created: fk_, an id, an underscore and a secret. ${createKeyInstructions(context.site)}`,
    );
  const [row] = await context.database.reader.select().from(keys).where(eq(keys.id, id)).limit(1);
  const isMatch = timingSafeEqual(
    Buffer.from(hashSecret(secret)),
    Buffer.from(row?.hash ?? DUMMY_HASH),
  );
  const now = context.now();
  if (!row || !isMatch)
    throw createInvalidTokenProblem('The key is unknown. Check that you copied the whole key.');
  const state = keyStateOf(row, now);
  if (state !== 'active') throw createInvalidTokenProblem(endedMessages[state]);
  recordUse(id, row.lastUsedAt, now, context);
  return { id, name: row.name, scopes: row.scopes, expiresAt: row.expiresAt };
}

/** Rejects a key that has since expired or been revoked. @throws {Problem} unauthorized */
export async function requireActiveKey(
  { id }: Pick<ActiveKey, 'id'>,
  { database, now }: Context,
): Promise<void> {
  const [row] = await database.reader.select().from(keys).where(eq(keys.id, id)).limit(1);
  const state = row ? keyStateOf(row, now()) : 'revoked';
  if (state !== 'active') throw createInvalidTokenProblem(endedMessages[state]);
}

/** A problem that names the required scope (RFC 6750 section 3.1). */
const createScopeProblem = (scope: string, detail: string) =>
  new Problem('insufficient_scope', detail, {
    headers: {
      'www-authenticate': `${BEARER_CHALLENGE}, error="insufficient_scope", scope="${scope}"`,
    },
  });

/**
 * The ID of the key in an Authorization header, which must allow callbacks. @throws {Problem}
 * unauthorized; insufficient_scope if the key has another scope
 */
export async function readCallbackKey(header: string | null, context: Context): Promise<string> {
  const { id, scopes } = await authenticateKey(header, context);
  // No wildcard includes it: only a key created for callbacks has a secret to sign them.
  if (scopes.includes(CALLBACKS_SCOPE)) return id;
  throw createScopeProblem(
    CALLBACKS_SCOPE,
    `The key does not allow callbacks. Ask the operator for a key with the scope ${CALLBACKS_SCOPE}, or leave callback out.`,
  );
}

/** @throws {Problem} insufficient_scope */
export function requireScope(key: ActiveKey, capability: string): void {
  if (allowsCapability(key.scopes, capability)) return;
  throw createScopeProblem(
    capability,
    `The key does not allow ${capability}. Ask the operator for a key with the scope ${capability}. ${KEYLESS_ADVICE}`,
  );
}

/** The caller's key. @throws {Problem} unauthorized without a key */
export function callerOf(call: { key?: ActiveKey }, { site }: Pick<Context, 'site'>): ActiveKey {
  if (!call.key) throw createMissingKeyProblem(site);
  return call.key;
}
