import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import { keys } from '../../db/schema-capabilities.ts';
import { inboxSessions } from '../../db/schema-deliveries.ts';
import { authenticateKey, hashSecret } from './authenticate-key.ts';
import type { Context } from '../operation/context.ts';
import { INBOX_SCOPE, inboxAccessOf, type LeadAccess } from './key-scopes.ts';
import { keyStateOf } from './key-state.ts';
import { addHours } from '../operation/time-arithmetic.ts';
import { Problem } from '../operation/problem.ts';

export const SESSION_HOURS = 12;

/** 256 random bits as base64url. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** A person who is signed in to the inbox. */
export interface InboxSession {
  /** ID and name of the key. */
  keyId: string;
  name: string;
  /** The leads that the viewer may see and answer. */
  access: LeadAccess;
  /** Anti-forgery token of the session's forms. */
  formToken: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

const formTokenOf = (token: string): string => sha256(`form of ${token}`).toString('base64url');

/**
 * Opens a session with a key that has an inbox scope, which no wildcard includes. Returns the
 * session's token, which only the browser stores.
 * @throws {Problem} unauthorized, insufficient_scope
 */
export async function openInbox(key: string, context: Context): Promise<string> {
  const { id, scopes } = await authenticateKey(`Bearer ${key.trim()}`, context).catch(
    (error: unknown) => {
      throw error instanceof Problem
        ? new Problem(
            'unauthorized',
            'This key is not valid. Check that you copied all of it, and that it has not expired or been revoked.',
          )
        : error;
    },
  );
  if (!inboxAccessOf(scopes))
    throw new Problem(
      'insufficient_scope',
      `This key does not open the inbox. Create one that does with: npm run keys -- create <name> --scope ${INBOX_SCOPE}`,
    );
  const token = randomBytes(32).toString('base64url');
  const expiresAt = addHours(context.now(), SESSION_HOURS);
  await context.database.writer
    .insert(inboxSessions)
    .values({ id: hashSecret(token), key: id, expiresAt });
  return token;
}

/**
 * The session with this token; undefined if it does not exist, has expired, or its key was revoked.
 * @throws {DatabaseUnavailableError}
 */
export async function readInboxSession(
  token: string | undefined,
  { database, now }: Context,
): Promise<InboxSession | undefined> {
  if (token === undefined || !TOKEN_PATTERN.test(token)) return undefined;
  const currentTime = now();
  // Read the session for each request, so that signing out and revoking a key take effect with the
  // next request.
  const [row] = await database.reader
    .select({
      keyId: keys.id,
      name: keys.name,
      scopes: keys.scopes,
      revokedAt: keys.revokedAt,
      expiresAt: keys.expiresAt,
    })
    .from(inboxSessions)
    .innerJoin(keys, eq(keys.id, inboxSessions.key))
    .where(
      and(
        eq(inboxSessions.id, hashSecret(token)),
        gt(inboxSessions.expiresAt, currentTime.toISOString()),
      ),
    );
  const access =
    row && keyStateOf(row, currentTime) === 'active' ? inboxAccessOf(row.scopes) : undefined;
  return (
    row && access && { keyId: row.keyId, name: row.name, access, formToken: formTokenOf(token) }
  );
}

/** Whether a form came from a page of this session. */
export const belongsToSession = (
  formToken: string | undefined,
  { formToken: expected }: InboxSession,
) => formToken !== undefined && sha256(formToken).equals(sha256(expected));

/** Ends the session of a token, if any. @throws {DatabaseUnavailableError} */
export async function closeInbox(token: string | undefined, { database }: Context): Promise<void> {
  if (token !== undefined)
    await database.writer.delete(inboxSessions).where(eq(inboxSessions.id, hashSecret(token)));
}

/** Ends every session, and returns how many were ended. @throws {DatabaseUnavailableError} */
export async function closeAllInboxes(context: Context): Promise<number> {
  await deleteExpiredSessions(context);
  return (await context.database.writer.delete(inboxSessions)).rowsAffected;
}

/** Deletes expired sessions. @throws {DatabaseUnavailableError} */
export async function deleteExpiredSessions({ database, now }: Context): Promise<void> {
  await database.writer
    .delete(inboxSessions)
    .where(lte(inboxSessions.expiresAt, now().toISOString()));
}
