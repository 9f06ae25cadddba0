import { eq } from 'drizzle-orm';
import { keys } from '../../db/schema-capabilities.ts';
import { authenticateKey } from './authenticate-key.ts';
import type { Context } from './context.ts';
import { INBOX_SCOPE } from './key-scopes.ts';
import { isSigned, sign } from './link-secret.ts';
import { Problem } from './problem.ts';

/** Hours for which a session is good. */
export const SESSION_HOURS = 12;

const PURPOSE = 'inbox session';
const FORM = /^((?<key>[a-z0-9]{10})\.(?<until>[0-9a-z]{1,9}))\.(?<signature>[A-Za-z0-9_-]{22})$/;

/** Who looks at the inbox. */
export interface InboxSession {
  /** Name of the key. */
  name: string;
  /** Text that every form of the session carries, which no other page can know. */
  formToken: string;
}

/**
 * Opens a session with a key whose scopes name the inbox itself: a glob for capabilities does not open it.
 * @throws {Problem} unauthorized, insufficient_scope
 */
export async function openInbox(key: string, context: Context): Promise<string> {
  const { id, scopes } = await authenticateKey(`Bearer ${key.trim()}`, context).catch((error: unknown) => {
    throw error instanceof Problem ? new Problem('unauthorized', 'No key like this is in use. Check that it was copied whole, and that it has neither lapsed nor been revoked.') : error;
  });
  if (!scopes.includes(INBOX_SCOPE)) throw new Problem('insufficient_scope', `The key does not open the inbox. Make one with: npm run keys -- create <name> --scope ${INBOX_SCOPE}`);
  const text = `${id}.${Math.floor(context.now().getTime() / 1000 + SESSION_HOURS * 3600).toString(36)}`;
  return `${text}.${await sign(PURPOSE, text, context)}`;
}

/** The session of a cookie; undefined where it is none of ours, has lapsed, or its key was revoked. @throws {DatabaseUnavailable} */
export async function readInboxSession(cookie: string | undefined, context: Context): Promise<InboxSession | undefined> {
  const match = FORM.exec(cookie ?? '');
  const { key, until, signature } = match?.groups ?? {};
  if (!match || !(await isSigned(PURPOSE, match[1]!, signature!, context))) return undefined;
  const now = context.now();
  if (Number.parseInt(until!, 36) * 1000 <= now.getTime()) return undefined;
  // Read anew each time, so that a revocation counts from the next request.
  const [row] = await context.database.reader.select({ name: keys.name, scopes: keys.scopes, revokedAt: keys.revokedAt, expiresAt: keys.expiresAt }).from(keys).where(eq(keys.id, key!));
  const active = row && row.revokedAt === null && (row.expiresAt === null || row.expiresAt > now.toISOString()) && row.scopes.includes(INBOX_SCOPE);
  return active ? { name: row.name, formToken: await sign('inbox form', cookie!, context) } : undefined;
}

/** Whether a form was sent by a page of this session. */
export const isOfSession = (formToken: string | undefined, cookie: string, context: Context): Promise<boolean> => isSigned('inbox form', cookie, formToken ?? '', context);
