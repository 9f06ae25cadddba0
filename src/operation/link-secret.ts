import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { secrets } from '../../db/schema-deliveries.ts';
import type { Context } from './context.ts';

const NAME = 'links';

const newSecret = (): string => randomBytes(32).toString('base64url');

/** The generated secret, created if there is none; the first process to write it wins. */
async function ownSecret({ database: { reader, writer }, now }: Context): Promise<string> {
  // Read each time, so that a renewal by a command takes effect with the next request.
  const stored = () =>
    reader.select({ value: secrets.value }).from(secrets).where(eq(secrets.name, NAME));
  const [known] = await stored();
  if (known) return known.value;
  await writer
    .insert(secrets)
    .values({ name: NAME, value: newSecret(), createdAt: now().toISOString() })
    .onConflictDoNothing();
  const [made] = await stored();
  if (!made) throw new Error('The link secret was removed while it was made.');
  return made.value;
}

/**
 * Generates a new secret: every link sent so far stops working, in every process that uses the
 * database.
 * @throws {DatabaseUnavailable}
 */
export async function renewLinkSecret({ database: { writer }, now }: Context): Promise<void> {
  const renewed = { value: newSecret(), createdAt: now().toISOString() };
  await writer
    .insert(secrets)
    .values({ name: NAME, ...renewed })
    .onConflictDoUpdate({ target: secrets.name, set: renewed });
}

/** Signs texts of one purpose. */
export interface Signer {
  /** HMAC-SHA-256 (RFC 2104), the first 128 bits as base64url. */
  sign: (text: string) => string;
  /** Whether this signer signed the text; compared in constant time. */
  isSigned: (text: string, signature: string) => boolean;
}

/** The signer for a purpose, with the current secret. @throws {DatabaseUnavailable} */
export async function signerOf(purpose: string, context: Context): Promise<Signer> {
  const secret = context.linkSecret ?? (await ownSecret(context));
  const sign = (text: string): string =>
    createHmac('sha256', secret)
      .update(`${purpose}\n${text}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url');
  return {
    sign,
    isSigned(text, signature) {
      const [right, given] = [Buffer.from(sign(text)), Buffer.from(signature)];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
