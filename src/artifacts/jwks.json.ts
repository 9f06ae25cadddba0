import { z } from 'zod';
import type { PublicKey } from '../site/developer/public-key.ts';
import type { Site } from '../site/site.ts';
import { defineArtifact } from './artifact.ts';
import { component } from './components.ts';

/** Where the public keys of signatures are published. */
export const JWKS_PATH = '/.well-known/jwks.json';

const jwksSchema = component(
  'Jwks',
  z
    .strictObject({
      keys: z
        .array(
          z.strictObject({
            kty: z.literal('OKP').describe('Type of the key.'),
            crv: z.literal('Ed25519').describe('Its curve.'),
            x: z.string().describe('The public key, base64url.'),
            kid: z.string().describe('Id of the key: its thumbprint, RFC 7638.'),
            use: z.literal('sig').describe('It signs.'),
            alg: z.literal('EdDSA').describe('Algorithm.'),
          }),
        )
        .describe('The keys; none where nothing is signed.'),
      note: z.string().optional().describe('Says so where receipts and statuses are not signed.'),
    })
    .describe('Keys that signatures of this network are verified with, RFC 7517.'),
);

/** The keys of the agent card and of receipts; listed once if they are the same. */
const keysOf = ({ cardKey, receiptKey }: Site): PublicKey[] =>
  [cardKey, receiptKey]
    .filter((key) => key !== undefined)
    .filter((key, at, all) => all.findIndex((other) => other.kid === key.kid) === at);

/** For whoever looks for the key of a receipt that has no `proof`. */
const UNSIGNED =
  'Receipts and statuses are not signed here. They have no proof, so a copy of one proves nothing: read its statusUrl.';

/**
 * `/.well-known/jwks.json`, RFC 7517; an empty key set if nothing is signed, to distinguish it from
 * a missing document.
 */
export const jwks = defineArtifact<null>({
  name: 'jwks',
  description:
    'The public keys that the signatures of the agent card, of receipts and of statuses are verified with; none where nothing is signed.',
  mediaType: 'application/jwk-set+json',
  keys: () => [null],
  paths: () => [JWKS_PATH],
  schema: jwksSchema,
  operation: { id: 'readJwks', tag: 'Discovery', summary: 'Keys of signatures' },
  render: (_, site) => ({
    keys: keysOf(site).map((key) => ({ ...key, use: 'sig', alg: 'EdDSA' })),
    ...(site.dynamic && !site.receiptKey && { note: UNSIGNED }),
  }),
});
