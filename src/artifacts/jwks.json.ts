import { z } from 'zod';
import type { PublicKey } from '../site/developer/public-key.ts';
import { guidePath } from '../site/pages-of-site.ts';
import { type Site, toMarkdownPath } from '../site/site.ts';
import { defineDocument } from './artifact.ts';
import { registerComponent } from './components.ts';

/** Site path of the public keys for verifying signatures. */
export const JWKS_PATH = '/.well-known/jwks.json';

const jwksSchema = registerComponent(
  'Jwks',
  z
    .strictObject({
      keys: z
        .array(
          z.strictObject({
            kty: z.literal('OKP').describe('Key type.'),
            crv: z.literal('Ed25519').describe('Curve.'),
            x: z.string().describe('The public key, base64url.'),
            kid: z.string().describe('Key ID: the JWK thumbprint, RFC 7638.'),
            use: z.literal('sig').describe('Key use: signing.'),
            alg: z.literal('EdDSA').describe('Algorithm.'),
          }),
        )
        .describe('Public keys; empty if nothing is signed.'),
      note: z
        .string()
        .optional()
        .describe('A note that receipts and statuses are not signed; absent if they are.'),
    })
    .describe('Public keys for verifying the network’s signatures, RFC 7517.'),
);

/** The keys for the agent card and for receipts; a shared key is listed once. */
const keysOf = ({ cardKey, receiptKey }: Site): PublicKey[] =>
  [cardKey, receiptKey]
    .filter((key) => key !== undefined)
    .filter((key, index, all) => all.findIndex((other) => other.kid === key.kid) === index);

/** For readers looking for the key to a receipt that has no `proof`. */
const createUnsignedNote = ({ base, registry }: Site): string =>
  `This service does not sign receipts and statuses. They have no proof, so a copy proves nothing: read the statusUrl instead. To rehearse verification, use the test vectors in ${base}${toMarkdownPath(guidePath(registry, { slug: 'verify' }))}.`;

/** `/.well-known/jwks.json`, RFC 7517. The key set is empty, not missing, if nothing is signed. */
export const jwks = defineDocument({
  name: 'jwks',
  description:
    'Public keys for verifying the signatures of the agent card, receipts and statuses; empty if nothing is signed.',
  mediaType: 'application/jwk-set+json',
  paths: [JWKS_PATH],
  schema: jwksSchema,
  operation: { id: 'readJwks', tag: 'Discovery', summary: 'Signature keys' },
  render: (site) => ({
    keys: keysOf(site).map((key) => ({ ...key, use: 'sig', alg: 'EdDSA' })),
    ...(site.dynamic && !site.receiptKey && { note: createUnsignedNote(site) }),
  }),
});
