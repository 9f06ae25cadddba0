import { createPublicKey } from 'node:crypto';
import canonicalize from 'canonicalize';
import {
  calculateJwkThumbprint,
  compactVerify,
  CompactSign,
  exportJWK,
  importPKCS8,
  importSPKI,
} from 'jose';
import type { Context } from '../operation/context.ts';
import { publicKeyOf, SIGNATURE_TYPES } from '../site/developer/public-key.ts';
import type { Site } from '../site/site.ts';

const ALGORITHM = 'EdDSA';

type Claims = Readonly<Record<string, unknown>>;

/** The bytes that a document's proof covers: its canonical JSON (RFC 8785). */
const canonicalBytesOf = (document: object) => new TextEncoder().encode(canonicalize(document));

/**
 * PEM of the public half (SPKI) of an Ed25519 private key in PEM (PKCS #8). @throws when the text
 * is not such a key
 */
export const publicPemOf = (privatePem: string): string =>
  createPublicKey(privatePem).export({ type: 'spki', format: 'pem' }).toString();

/**
 * A signer for an Ed25519 private key in PEM (PKCS #8, RFC 8037); the `kid` of a signature is the
 * thumbprint of the public key (RFC 7638). Identical documents have identical signatures. @throws
 * when the text is not such a key
 */
export async function createDocumentSigner(
  privatePem: string,
): Promise<Required<Pick<Context, 'signReceipt' | 'signDocument'>>> {
  const key = await importPKCS8(privatePem, ALGORITHM);
  const kid = await calculateJwkThumbprint(
    await exportJWK(await importSPKI(publicPemOf(privatePem), ALGORITHM, { extractable: true })),
  );
  const sign = (bytes: Uint8Array, typ: string) =>
    new CompactSign(bytes).setProtectedHeader({ alg: ALGORITHM, typ, kid }).sign(key);
  return {
    signReceipt: (claims) =>
      sign(new TextEncoder().encode(JSON.stringify(claims)), SIGNATURE_TYPES.receipt),
    async signDocument(document) {
      const [header, , signature] = (
        await sign(canonicalBytesOf(document), SIGNATURE_TYPES.document)
      ).split('.');
      return `${header}..${signature}`;
    },
  };
}

/**
 * Warnings for the operator if the build does not publish the key that the server signs with,
 * because nobody could then verify receipts.
 */
export function listReceiptKeyNotices(
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

/**
 * The payload of a JWS in compact form, as JSON. @throws when it was not signed by that key (PEM,
 * SPKI), or has another type
 */
async function verifyJws(jws: string, publicPem: string, typ: string): Promise<Claims> {
  const { payload, protectedHeader } = await compactVerify(
    jws,
    await importSPKI(publicPem, ALGORITHM),
    { algorithms: [ALGORITHM] },
  );
  if (protectedHeader.typ !== typ) throw new Error(`The signature is not for a ${typ}.`);
  return JSON.parse(new TextDecoder().decode(payload)) as Claims;
}

/**
 * The claims of a signed receipt, verified offline with the public key in PEM (SPKI). @throws when
 * it was not signed by that key
 */
export const verifyReceipt = (jws: string, publicPem: string): Promise<Claims> =>
  verifyJws(jws, publicPem, SIGNATURE_TYPES.receipt);

/**
 * A signed document without its `proof`, verified the same way. @throws when it was changed or was
 * not signed by that key
 */
export async function verifyDocument(
  { proof, ...document }: Claims,
  publicPem: string,
): Promise<Claims> {
  const [header, , signature] = String(proof).split('.');
  const payload = Buffer.from(canonicalBytesOf(document)).toString('base64url');
  return verifyJws(`${header}.${payload}.${signature}`, publicPem, SIGNATURE_TYPES.document);
}
