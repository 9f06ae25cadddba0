import canonicalize from 'canonicalize';
import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifySignedDocument } from '../../src/components/agent-area/verify-signed.ts';

it('a long signed document can be verified in the browser', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const document = { messages: Array.from({ length: 500 }, () => 'é'.repeat(1000)) };
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const header = encode(JSON.stringify({ alg: 'EdDSA', typ: 'lead-document', kid: 'k1' }));
  const signedBytes = Buffer.from(`${header}.${encode(canonicalize(document)!)}`);
  const proof = `${header}..${sign(null, signedBytes, privateKey).toString('base64url')}`;
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k1' };
  const verify = (more: object) =>
    verifySignedDocument(JSON.stringify({ ...document, ...more, proof }), [key as JsonWebKey]);
  expect(await verify({})).toMatchObject({ valid: true });
  expect(await verify({ added: true })).toMatchObject({
    valid: false,
    text: expect.stringContaining('changed'),
  });
});
