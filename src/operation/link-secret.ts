import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { secrets } from '../../db/schema-deliveries.ts';
import type { Context } from './context.ts';

const SECRET_NAME = 'links';

const generateSecret = (): string => randomBytes(32).toString('base64url');

/** Reads the generated secret, and creates it if missing. The first process to write wins. */
async function readGeneratedSecret({
  database: { reader, writer },
  now,
}: Context): Promise<string> {
  // Read the secret each time, because a command can renew it while the server runs.
  const stored = () =>
    reader.select({ value: secrets.value }).from(secrets).where(eq(secrets.name, SECRET_NAME));
  const [existingSecret] = await stored();
  if (existingSecret) return existingSecret.value;
  await writer
    .insert(secrets)
    .values({ name: SECRET_NAME, value: generateSecret(), createdAt: now().toISOString() })
    .onConflictDoNothing();
  const [createdSecret] = await stored();
  if (!createdSecret) throw new Error('The link secret was deleted while it was being created.');
  return createdSecret.value;
}

/**
 * Generates a new secret, which disables all existing links in every process that uses the
 * database.
 * @throws {DatabaseUnavailableError}
 */
export async function renewLinkSecret({ database: { writer }, now }: Context): Promise<void> {
  const newSecretRow = { value: generateSecret(), createdAt: now().toISOString() };
  await writer
    .insert(secrets)
    .values({ name: SECRET_NAME, ...newSecretRow })
    .onConflictDoUpdate({ target: secrets.name, set: newSecretRow });
}

export interface Signer {
  /** Returns the first 128 bits of the HMAC-SHA-256 (RFC 2104), base64url. */
  sign: (text: string) => string;
  /** Whether the signature is valid. Compares in constant time. */
  isSigned: (text: string, signature: string) => boolean;
}

/** Creates a signer with the current secret. @throws {DatabaseUnavailableError} */
export async function createSigner(purpose: string, context: Context): Promise<Signer> {
  const secret = context.linkSecret ?? (await readGeneratedSecret(context));
  const sign = (text: string): string =>
    createHmac('sha256', secret)
      .update(`${purpose}\n${text}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url');
  return {
    sign,
    isSigned(text, signature) {
      const [expected, actualSignature] = [Buffer.from(sign(text)), Buffer.from(signature)];
      return (
        actualSignature.length === expected.length && timingSafeEqual(actualSignature, expected)
      );
    },
  };
}
