import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Database } from '../../db/index.ts';
import { secrets } from '../../db/schema-deliveries.ts';
import type { Context } from './context.ts';

const NAME = 'links';

const known = new WeakMap<Database, Promise<string>>();

/** The secret that the service made for itself, made now where there is none; the first process to write it decides. */
async function ownSecret({ database: { writer }, now }: Context): Promise<string> {
  await writer.insert(secrets).values({ name: NAME, value: randomBytes(32).toString('base64url'), createdAt: now().toISOString() }).onConflictDoNothing();
  const [row] = await writer.select({ value: secrets.value }).from(secrets).where(eq(secrets.name, NAME));
  return row!.value;
}

async function secretOf(context: Context): Promise<string> {
  if (context.linkSecret !== undefined) return context.linkSecret;
  let secret = known.get(context.database);
  if (!secret) {
    secret = ownSecret(context);
    known.set(context.database, secret);
    secret.catch(() => known.delete(context.database));
  }
  return secret;
}

/** Signs a text for one purpose: HMAC-SHA-256 (RFC 2104), the first 128 bits as base64url. */
export async function sign(purpose: string, text: string, context: Context): Promise<string> {
  return createHmac('sha256', await secretOf(context)).update(`${purpose}\n${text}`).digest().subarray(0, 16).toString('base64url');
}

/** Whether a text was signed for that purpose; compared in constant time. */
export async function isSigned(purpose: string, text: string, signature: string, context: Context): Promise<boolean> {
  const right = Buffer.from(await sign(purpose, text, context));
  const given = Buffer.from(signature);
  return given.length === right.length && timingSafeEqual(given, right);
}
