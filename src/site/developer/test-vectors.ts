import { createHmac, createPrivateKey, sign } from 'node:crypto';
import canonicalize from 'canonicalize';
import { publicKeyOf, SIGNATURE_TYPES } from './public-key.ts';
import { createJsonSample, type Sample } from './request-samples.ts';

/** The sample secret from the documentation of Standard Webhooks. */
const TEST_WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The Ed25519 private key of RFC 8037 appendix A in PEM format (PKCS #8). It is publicly known. */
export const TEST_SIGNING_KEY = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  },
})
  .export({ type: 'pkcs8', format: 'pem' })
  .toString();

const CHANGED_AT = '2026-11-12T15:04:05.000Z';

/** An example of a callback body. */
export const createCallbackExample = (base: string): object => ({
  type: 'lead.updated',
  timestamp: CHANGED_AT,
  data: {
    receiptToken: 'sandbox',
    status: 'quoted',
    at: CHANGED_AT,
    statusUrl: `${base}/api/lead/sandbox`,
  },
});

/** Creates a signed callback with its secret, headers and body. */
export function createWebhookVector(base: string): Sample {
  const body = JSON.stringify(createCallbackExample(base));
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  const timestamp = String(Date.parse(CHANGED_AT) / 1000);
  const signedContent = `${id}.${timestamp}.${body}`;
  const key = Buffer.from(TEST_WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(signedContent).digest('base64');
  return createJsonSample('Test vector · signed callback', {
    secret: TEST_WEBHOOK_SECRET,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
}

const publicTestKey = publicKeyOf(TEST_SIGNING_KEY);

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** Creates the header and signature of a JWS (RFC 7515) over a payload. */
function signWithTestKey(payload: string, typ: string): { header: string; signature: string } {
  const header = encode(JSON.stringify({ alg: 'EdDSA', typ, kid: publicTestKey.kid }));
  const signature = sign(null, Buffer.from(`${header}.${encode(payload)}`), TEST_SIGNING_KEY);
  return { header, signature: signature.toString('base64url') };
}

/** Creates a signed status and a signed task receipt, each with its key. */
export function createProofVectors(base: string): Sample[] {
  const keys = [publicTestKey];
  const document = {
    receiptToken: 'sandbox',
    status: 'quoted',
    statusUrl: `${base}/api/lead/sandbox`,
    createdAt: CHANGED_AT,
    notice: 'A receipt isn’t a booking.',
    offer: { offerId: 'example', amount: '35.00', currency: 'USD', confirmOnAccept: false },
  };
  const canonical = canonicalize(document)!;
  const proof = signWithTestKey(canonical, SIGNATURE_TYPES.document);
  const claims = {
    issuer: base,
    taskId: 'example',
    capability: 'example.help',
    status: 'completed',
    amount: '0.00',
    currency: 'USD',
    completedAt: CHANGED_AT,
  };
  const payload = JSON.stringify(claims);
  const receipt = signWithTestKey(payload, SIGNATURE_TYPES.receipt);
  return [
    createJsonSample('Test vector · signed status', {
      keys,
      document: { ...document, proof: `${proof.header}..${proof.signature}` },
      canonical,
    }),
    createJsonSample('Test vector · receipt of a task', {
      keys,
      receipt: {
        ...claims,
        jws: `${receipt.header}.${encode(payload)}.${receipt.signature}`,
      },
    }),
  ];
}
