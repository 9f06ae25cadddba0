import { isObject, memberOf } from '../site/json-object.ts';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { digestCanonicalJson } from '../operation/canonical-digest.ts';
import { describeFileError } from './file-errors.ts';
import { KeyError, KeyUsageError } from '../keys/keys.ts';
import { publicPemOf, verifyDocument, verifyReceipt } from '../capabilities/receipt-signature.ts';

type Claims = Readonly<Record<string, unknown>>;

/**
 * A JWS in compact form, RFC 7515 section 7.1: three base64url parts, the first of which is a JSON
 * object.
 */
const JWS_PATTERN = /^ey[\w-]+\.[\w-]+\.[\w-]+$/;

function readFile(path: string, what: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8').trim();
  } catch (error) {
    throw new KeyUsageError(
      describeFileError(error, path) ??
        `The file with the ${what} cannot be read. Use the path of a readable file.`,
    );
  }
}

/** The input: a JWS, JSON with a JWS, or a document with its proof. */
function readInput(
  source: string,
): { jws: string; claimedReceipt?: Claims } | { document: Claims } {
  const text = JWS_PATTERN.test(source) ? source : readFile(source, 'receipt');
  if (JWS_PATTERN.test(text)) return { jws: text };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new KeyError(
      'The file contains neither a JWS nor JSON. Use the JWS, the receipt or the task as you received it.',
    );
  }
  if (!isObject(document))
    throw new KeyError(
      'The JSON is neither a receipt nor a task. Use the object as you received it.',
    );
  const signed = document['jws'] ?? memberOf(document['receipt'], 'jws');
  if (signed === undefined && typeof document['proof'] === 'string') return { document };
  if (typeof signed !== 'string')
    throw new KeyError(
      'This receipt is not signed: it has neither jws nor proof. The service signs receipts only if RECEIPT_SIGNING_KEY is set.',
    );
  return { jws: signed, claimedReceipt: document };
}

function readPublicKey(path: string): string {
  const text = readFile(path, 'public key');
  if (/PRIVATE KEY-----/.test(text))
    throw new KeyUsageError(
      'This is a private key. Use its public half: openssl pkey -in <file> -pubout.',
    );
  let key: KeyObject | undefined;
  try {
    key = createPublicKey(text);
  } catch {
    // Reported below like any other invalid key.
  }
  if (key?.asymmetricKeyType !== 'ed25519' || !text.includes('-----BEGIN PUBLIC KEY-----'))
    throw new KeyUsageError(
      'The file does not contain an Ed25519 public key in PEM (SPKI), which begins with -----BEGIN PUBLIC KEY-----.',
    );
  return text;
}

const isEqual = (one: unknown, other: unknown): boolean =>
  digestCanonicalJson({ value: one }) === digestCanonicalJson({ value: other });

const SHARED_MEMBERS = ['taskId', 'capability', 'status'] as const;

/** JSON Pointers to the differences between the document and the signed content. */
function findDifferences(document: Claims, claims: Claims): string[] {
  const isTask = document['receipt'] !== undefined;
  const receiptClaims = isTask ? document['receipt'] : document;
  const { jws: _, ...receipt } = isObject(receiptClaims) ? receiptClaims : {};
  const prefix = isTask ? 'receipt.' : '';
  const places = [...new Set([...Object.keys(receipt), ...Object.keys(claims)])]
    .filter((name) => !isEqual(receipt[name] ?? null, claims[name] ?? null))
    .map((name) => `${prefix}${name}`);
  if (!isTask) return places;
  places.push(
    ...SHARED_MEMBERS.filter((name) => !isEqual(document[name] ?? null, claims[name] ?? null)),
  );
  // A result is kept for only 30 days; a task without its result is just as valid.
  if (
    document['result'] !== undefined &&
    digestCanonicalJson(document['result']) !== claims['resultDigest']
  )
    places.push('result');
  if (
    document['charge'] !== undefined &&
    !isEqual(
      ['amount', 'currency'].map((name) => memberOf(document['charge'], name) ?? null),
      [claims['amount'] ?? null, claims['currency'] ?? null],
    )
  )
    places.push('charge');
  return places;
}

/**
 * Verifies a receipt and returns its claims. The receipt is a JWS, a path, or - for standard input.
 * Everything outside the signature must match the signed content. `key` is the path of a public
 * key, or this service's private key. @throws {KeyError} with the reason
 */
export async function verifyReceiptInput(
  source: string,
  key: string | { privatePem: string } | undefined,
): Promise<Claims> {
  const read = readInput(source);
  if (!key)
    throw new KeyError('Use the public key with --public-key <file>, or set RECEIPT_SIGNING_KEY.');
  const pem = typeof key === 'string' ? readPublicKey(key) : publicPemOf(key.privatePem);
  const refuse = () => {
    throw new KeyError('The receipt is invalid: it was changed, or another key signed it.');
  };
  if ('document' in read) return verifyDocument(read.document, pem).catch(refuse);
  const { jws, claimedReceipt } = read;
  const claims = await verifyReceipt(jws, pem).catch(refuse);
  const places = claimedReceipt ? findDifferences(claimedReceipt, claims) : [];
  if (places.length)
    throw new KeyError(
      `The signature is valid, but the content around it was changed: ${places.join(', ')}. Trust the signed claims only.`,
    );
  return claims;
}
