import type { Sample } from './request-samples.ts';
import { createProofVectors } from './test-vectors.ts';
import type { Site } from '../site.ts';

const renderJavaScript = (base: string): string =>
  [
    "import canonicalize from 'canonicalize';",
    "import { compactVerify, createRemoteJWKSet } from 'jose';",
    "import { json } from 'node:stream/consumers';",
    '',
    'const { proof, ...document } = await json(process.stdin);',
    "const [header, , signature] = proof.split('.');",
    "const payload = Buffer.from(canonicalize(document)).toString('base64url');",
    `const keys = createRemoteJWKSet(new URL('${base}/.well-known/jwks.json'));`,
    'await compactVerify(`${header}.${payload}.${signature}`, keys);',
    "console.log('Valid:', document.receiptToken);",
  ].join('\n');

const renderPython = (base: string): string =>
  [
    'import base64, json, sys, urllib.request',
    'from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey',
    "decode = lambda text: base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))",
    'document = json.load(sys.stdin.buffer)',
    "header, _, signature = document.pop('proof').split('.')",
    "text = json.dumps(document, sort_keys=True, separators=(',', ':'), ensure_ascii=False)",
    "payload = base64.urlsafe_b64encode(text.encode()).decode().rstrip('=')",
    `keys = json.load(urllib.request.urlopen('${base}/.well-known/jwks.json'))['keys']`,
    "key = next(key for key in keys if key['kid'] == json.loads(decode(header))['kid'])",
    "public_key = Ed25519PublicKey.from_public_bytes(decode(key['x']))",
    "public_key.verify(decode(signature), f'{header}.{payload}'.encode())",
    "print('Valid:', document['receiptToken'])",
  ].join('\n');

const UNSIGNED_TEXT =
  'This service signs nothing at present: a copy of a receipt or a status proves nothing, so read its `statusUrl` instead. A service that signs does so as described here, and the test vectors show how.\n\n';

/** Creates the guide that explains how to verify a receipt. */
export const createProofGuide = ({
  base,
  receiptKey,
}: Site): { body: string; samples: Sample[] } => ({
  body: `${receiptKey ? '' : UNSIGNED_TEXT}Every receipt and every status of a request ${receiptKey ? 'has' : 'then has'} a \`proof\`: a detached JWS (RFC 7515 appendix F, EdDSA) over the canonical JSON (RFC 8785) of the document without \`proof\`. Its key is in \`${base}/.well-known/jwks.json\`. Anyone who has a receipt or a status can check that it was issued here and has not been changed. Each program reads a receipt or a status from its standard input, for example, from \`curl ${base}/api/lead/sandbox\`, and fails if even one byte was changed. (Python formats numbers below 0.0001 differently from RFC 8785; for those, use a library such as rfc8785.) The receipt of a task has a \`jws\`, a JWS in compact form over its other members.

## Digests

A digest is the SHA-256 of canonical JSON (RFC 8785):

| Member | Format | JSON from which it is computed |
|---|---|---|
| \`contract\` of an action | \`sha-256:\` and 64 hexadecimal digits | the terms that callers rely on: subsite, verb, endpoint, fields of the action and of its capability (with their limits and choices), prices, effect, sales tax, response time and retention. Compare it with the digest that you read before, and send the earlier one as \`contract\` or in \`If-Match\`: if the terms have changed, the response is 412 with the changes. |
| \`inputDigest\` of a quote, and of a task’s receipt | 64 hexadecimal digits | the \`input\` |
| \`resultDigest\` of a task’s receipt | 64 hexadecimal digits | the \`result\` of the task |

## Test vectors

The test vectors below are signed with the key in appendix A of RFC 8037, which is publicly known: never trust it. The first contains a status with its \`proof\` and, in \`canonical\`, the signed bytes; the second contains the receipt of a task. A program that accepts both, and rejects each of them after any change, also works with the keys of this service.`,
  samples: [
    {
      title: 'JavaScript · verify.mjs · npm install jose canonicalize',
      language: 'javascript',
      text: renderJavaScript(base),
    },
    {
      title: 'Python · verify.py · pip install cryptography',
      language: 'python',
      text: renderPython(base),
    },
    ...createProofVectors(base),
  ],
});
