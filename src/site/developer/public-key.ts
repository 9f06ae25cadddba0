import { createHash, createPublicKey } from 'node:crypto';

/**
 * The JWS type of each kind of signed content (RFC 7515 section 4.1.9), so that one kind cannot be
 * mistaken for another.
 */
export const SIGNATURE_TYPES = { receipt: 'task-receipt', document: 'lead-document' } as const;

/** The public half of an Ed25519 key (RFC 8037); `kid` is its thumbprint (RFC 7638). */
export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
}

/**
 * Returns the public half of an Ed25519 private key in PEM (PKCS #8).
 * @throws if the text is not such a key
 */
export function publicKeyOf(privatePem: string): PublicKey {
  const { x } = createPublicKey(privatePem).export({ format: 'jwk' }) as { x: string };
  const key = { crv: 'Ed25519', kty: 'OKP', x } as const;
  // RFC 7638 defines these members and their order.
  return { ...key, kid: createHash('sha256').update(JSON.stringify(key)).digest('base64url') };
}
