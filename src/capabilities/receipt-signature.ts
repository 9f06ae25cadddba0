import { createPublicKey } from 'node:crypto';
import {
  calculateJwkThumbprint,
  compactVerify,
  CompactSign,
  exportJWK,
  importPKCS8,
  importSPKI,
} from 'jose';
import { publicKeyOf } from '../site/public-key.ts';
import type { Site } from '../site/site.ts';

const ALGORITHM = 'EdDSA';
const TYPE = 'task-receipt';

type Claims = Readonly<Record<string, unknown>>;

/** PEM of the public half (SPKI) of an Ed25519 private key in PEM (PKCS #8). @throws when it is none */
export const publicPemOf = (privatePem: string): string =>
  createPublicKey(privatePem).export({ type: 'spki', format: 'pem' }).toString();

/**
 * What signs receipts with an Ed25519 private key in PEM (PKCS #8): a JWS in compact form (RFC 7515, RFC 8037) whose
 * `kid` is the thumbprint of the public key (RFC 7638). @throws when the text is no such key
 */
export async function receiptSigner(
  privatePem: string,
): Promise<(claims: Claims) => Promise<string>> {
  const key = await importPKCS8(privatePem, ALGORITHM);
  const kid = await calculateJwkThumbprint(
    await exportJWK(await importSPKI(publicPemOf(privatePem), ALGORITHM, { extractable: true })),
  );
  return (claims) =>
    new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
      .sign(key);
}

/**
 * What an operator is to know when the server signs receipts with another key than its build publishes, so that nobody
 * can verify them: one sentence, or none.
 */
export function receiptKeyNotices(
  privatePem: string | undefined,
  { receiptKey }: Pick<Site, 'receiptKey'>,
): string[] {
  if (privatePem === undefined)
    return receiptKey
      ? ['Receipts are not signed: set RECEIPT_SIGNING_KEY, whose public key this build publishes.']
      : [];
  return publicKeyOf(privatePem).kid === receiptKey?.kid
    ? []
    : [
        'This build does not publish the key that signs receipts. Build again with RECEIPT_SIGNING_KEY set.',
      ];
}

/** The claims of a signed receipt, checked offline with the public key in PEM (SPKI). @throws when it was not signed by that key */
export async function verifyReceipt(jws: string, publicPem: string): Promise<Claims> {
  const { payload, protectedHeader } = await compactVerify(
    jws,
    await importSPKI(publicPem, ALGORITHM),
    { algorithms: [ALGORITHM] },
  );
  if (protectedHeader.typ !== TYPE)
    throw new Error('The signature is of something else than a task receipt.');
  return JSON.parse(new TextDecoder().decode(payload)) as Claims;
}
