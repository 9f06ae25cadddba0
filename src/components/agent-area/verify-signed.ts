import { parseJsonObject } from '../../site/json-object.ts';
import canonicalize from 'canonicalize';
import { fill } from '../../text/fill.ts';
import { verdicts } from '../../text/index.ts';

/** The result of a verification, as a sentence for the user. */
export interface Verdict {
  valid: boolean;
  text: string;
}

/** A public key in `/.well-known/jwks.json` (RFC 7517). */
type PublicJwk = JsonWebKey & { kid?: string };

const createInvalidVerdict = (text: string): Verdict => ({ valid: false, text });

const decodeBase64url = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
const encodeBase64url = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The `typ` value in the header of a proof (RFC 7515 section 4.1.9). */
const JWS_TYPE = 'lead-document';

/**
 * Verifies the proof of a receipt or a status, given as JSON text, with the service's keys: a
 * detached JWS (RFC 7515 appendix F) over the canonical JSON (RFC 8785) of the rest. Resolves to a
 * verdict for any text; rejects only if the browser cannot verify Ed25519 signatures.
 */
export async function verifySignedDocument(
  text: string,
  keys: readonly PublicJwk[],
): Promise<Verdict> {
  const signedObject = parseJsonObject(text);
  if (!signedObject) return createInvalidVerdict(verdicts.notJson);
  const { proof, ...document } = signedObject;
  if (typeof proof !== 'string') return createInvalidVerdict(verdicts.noProof);
  const [header = '', , signature = ''] = proof.split('.');
  try {
    const headerObject = parseJsonObject(new TextDecoder().decode(decodeBase64url(header)));
    if (!headerObject) return createInvalidVerdict(verdicts.unreadable);
    const { alg, typ, kid } = headerObject;
    if (alg !== 'EdDSA' || typ !== JWS_TYPE) return createInvalidVerdict(verdicts.unsupportedType);
    const key = keys.find((each) => each.kid === kid);
    if (!key?.kid) return createInvalidVerdict(verdicts.unknownKey);
    const publicKey = await crypto.subtle.importKey('jwk', key, 'Ed25519', false, ['verify']);
    const signed = new TextEncoder().encode(
      `${header}.${encodeBase64url(canonicalize(document)!)}`,
    );
    return (await crypto.subtle.verify('Ed25519', publicKey, decodeBase64url(signature), signed))
      ? {
          valid: true,
          text: fill(verdicts.valid, { key: key.kid }),
        }
      : createInvalidVerdict(verdicts.invalid);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') throw error;
    return createInvalidVerdict(verdicts.unreadable);
  }
}
