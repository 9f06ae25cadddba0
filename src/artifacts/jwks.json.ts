import { z } from 'zod';
import type { Site } from '../registry/index.ts';
import { defineArtifact } from './artifact.ts';
import { component } from './components.ts';

/** Where the key of the agent card’s signature is published. */
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
        .describe('The keys.'),
    })
    .describe('Keys that signatures of this network are checked with, RFC 7517.'),
);

/** `/.well-known/jwks.json`, RFC 7517; only where the agent card is signed. */
export const jwks = defineArtifact<null>({
  name: 'jwks',
  description: 'The public key of the agent card’s signature.',
  mediaType: 'application/jwk-set+json',
  keys: ({ cardKey }: Site) => (cardKey ? [null] : []),
  paths: () => [JWKS_PATH],
  schema: jwksSchema,
  operation: { id: 'readJwks', tag: 'Discovery', summary: 'Keys of signatures' },
  render: (_, { cardKey }) => ({ keys: [{ ...cardKey, use: 'sig', alg: 'EdDSA' }] }),
});
