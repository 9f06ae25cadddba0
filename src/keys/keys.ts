import { randomBytes } from 'node:crypto';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { customAlphabet } from 'nanoid';
import { keys } from '../../db/schema-capabilities.ts';
import { hashSecret } from './authenticate-key.ts';
import { capabilityCatalogOf } from '../capabilities/capability-catalog.ts';
import type { Context } from '../operation/context.ts';
import { CALLBACKS_SCOPE, INBOX_SCOPE, inboxSubsiteOf, findUnmatchedScopes } from './key-scopes.ts';
import { keyStateOf, type KeyState } from './key-state.ts';
import {
  availableAccountOf,
  readCredits,
  ISSUED_ACCOUNT,
  createTransferEntries,
} from '../capabilities/ledger.ts';
import { toDecimal, toMinorUnits } from '../capabilities/money.ts';
import { findNearest } from '../site/corrections/similar-names.ts';

/** An error in a key command; the message says how to fix it. */
export class KeyError extends Error {}

/** An invalid argument or option of a key command. */
export class KeyUsageError extends KeyError {}

type Row = typeof keys.$inferSelect;

/** A key as shown to the operator, without its secret. */
export interface KeyRecord extends Omit<Row, 'hash' | 'callbackSecret'> {
  status: KeyState;
}

export interface KeyDetails extends KeyRecord {
  /** Decimal strings. */
  credits: { available: string; reserved: string };
}

const generateId = customAlphabet('abcdefghijkmnpqrstuvwxyz23456789', 10);
const generateSecret = customAlphabet(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  40,
);

const recordOf = ({ hash: _, callbackSecret: _secret, ...row }: Row, now: Date): KeyRecord => ({
  ...row,
  status: keyStateOf(row, now),
});

/**
 * Creates a key. `key` is the full key, which is shown once and never stored; `callbackSecret`, for
 * the callbacks scope, is also shown once.
 * @throws {KeyUsageError} when a scope matches no capability, inbox or subsite, or the expiry is in
 * the past
 */
export async function createKey(
  { name, scopes, expiresAt }: { name: string; scopes: string[]; expiresAt: Date | null },
  { site, database, now }: Context,
): Promise<KeyRecord & { key: string; callbackSecret?: string }> {
  const knownScopes = {
    capabilities: [...capabilityCatalogOf(site).keys()],
    subsites: site.registry.subsites.map((subsite) => subsite.name),
  };
  const moment = now();
  const faults = [
    ...(name.trim() ? [] : ['Give the key a name that says who uses it.']),
    ...(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name.trim())
      ? ['Give the key a single-line name without control characters.']
      : []),
    ...(scopes.length ? [] : ['Add at least one scope: a capability ID or a glob.']),
    ...findUnmatchedScopes(scopes, knownScopes).map((scope) =>
      describeScopeFault(scope, knownScopes),
    ),
    ...(expiresAt && expiresAt <= moment
      ? ['The expiration time is in the past. Choose a later time.']
      : []),
  ];
  if (faults.length) throw new KeyUsageError(faults.join('\n'));
  const id = generateId();
  const secret = generateSecret();
  const row = {
    id,
    name: name.trim(),
    hash: hashSecret(secret),
    scopes: [...new Set(scopes)],
    callbackSecret: scopes.includes(CALLBACKS_SCOPE)
      ? `whsec_${randomBytes(32).toString('base64')}`
      : null,
    createdAt: moment.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: null,
    lastUsedAt: null,
  };
  await database.writer.insert(keys).values(row);
  const { callbackSecret } = row;
  return {
    ...recordOf(row, moment),
    key: `fk_${id}_${secret}`,
    ...(callbackSecret !== null && { callbackSecret }),
  };
}

function describeScopeFault(
  scope: string,
  { capabilities, subsites }: { capabilities: readonly string[]; subsites: readonly string[] },
): string {
  const subsite = inboxSubsiteOf(scope);
  if (subsite !== undefined) {
    const nearestSubsite = findNearest(subsite, subsites);
    return `The scope ${scope} does not name a subsite. ${nearestSubsite ? `Did you mean inbox:${nearestSubsite}?` : 'The names are in /api/agent-index.'}`;
  }
  const nearestScope = findNearest(scope, [INBOX_SCOPE, CALLBACKS_SCOPE, ...capabilities]);
  return `The scope ${scope} matches no capability. ${nearestScope ? `Did you mean ${nearestScope}?` : 'The IDs are in /api/v1/capabilities.'}`;
}

/** All keys, oldest first. */
export async function listKeys({ database, now }: Context): Promise<KeyRecord[]> {
  const rows = await database.reader.select().from(keys).orderBy(asc(keys.createdAt), asc(keys.id));
  return rows.map((row) => recordOf(row, now()));
}

const idOf = (idOrKey: string): string =>
  /^fk_([a-z0-9]+)_/.exec(idOrKey)?.[1] ?? idOrKey.replace(/^fk_/, '');

async function findKey(idOrKey: string, { database }: Context): Promise<Row> {
  const [row] = await database.writer
    .select()
    .from(keys)
    .where(eq(keys.id, idOf(idOrKey)));
  if (!row) throw new KeyError('No key matches this ID. npm run keys -- list shows all keys.');
  return row;
}

/** One key with its credits. @throws {KeyError} when it does not exist */
export async function readKeyDetails(idOrKey: string, context: Context): Promise<KeyDetails> {
  const row = await findKey(idOrKey, context);
  const credits = await readCredits(row.id, context.database);
  return {
    ...recordOf(row, context.now()),
    credits: {
      available: toDecimal(credits.available),
      reserved: toDecimal(credits.reserved),
    },
  };
}

/**
 * Revokes a key, effective with the next request; this cannot be undone. @throws {KeyError} when it
 * does not exist
 */
export async function revokeKey(idOrKey: string, context: Context): Promise<KeyRecord> {
  const { id } = await findKey(idOrKey, context);
  await context.database.writer
    .update(keys)
    .set({ revokedAt: context.now().toISOString() })
    .where(and(eq(keys.id, id), isNull(keys.revokedAt)));
  return recordOf(await findKey(id, context), context.now());
}

/**
 * Adds credits to a key; a negative amount removes unreserved credits. @throws {KeyError} when the
 * key does not exist or has too few credits
 */
export async function creditKey(
  idOrKey: string,
  decimal: string,
  context: Context,
): Promise<KeyDetails> {
  const row = await findKey(idOrKey, context);
  const { id } = row;
  const status = keyStateOf(row, context.now());
  const isDebit = decimal.startsWith('-');
  const amount = toMinorUnits(decimal.replace(/^-/, ''));
  if (amount === 0) throw new KeyUsageError('Use an amount other than zero.');
  if (!isDebit && status !== 'active')
    throw new KeyError(
      `The key is ${status}, so it cannot spend credits. Add credits to an active key.`,
    );
  const transfer = `credit:${context.tokens.receipt(context.now())}`;
  const [from, to] = isDebit
    ? [availableAccountOf(id), ISSUED_ACCOUNT]
    : [ISSUED_ACCOUNT, availableAccountOf(id)];
  const { writer } = context.database;
  const [debit, credit] = createTransferEntries(
    { transfer, from, to, amount, at: context.now().toISOString() },
    sql`true`,
  );
  const [{ rowsAffected }] = await writer.batch([writer.run(debit), writer.run(credit)]);
  if (isDebit && rowsAffected === 0)
    throw new KeyError('The key does not have that many unreserved credits.');
  return readKeyDetails(id, context);
}
