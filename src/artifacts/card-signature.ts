import { AgentCard, generateAgentCardSignature } from '@a2a-js/sdk';
import { importPKCS8 } from 'jose';
import type { Site } from '../site/site.ts';
import { JWKS_PATH } from './jwks.json.ts';

const ALGORITHM = 'EdDSA';

/**
 * Renders a signed agent card (A2A 1.0, “Agent card signing”). The signature is a JWS (RFC 7515)
 * over the card's canonical JSON (RFC 8785). Ed25519 is deterministic, so builds stay reproducible.
 * @throws if `privatePem` is not an Ed25519 private key in PEM (PKCS #8)
 */
export async function signCard(
  text: string,
  privatePem: string,
  { base, cardKey }: Site,
): Promise<string> {
  const card = JSON.parse(text) as Record<string, unknown>;
  const header = { alg: ALGORITHM, kid: cardKey!.kid, typ: 'JOSE', jku: `${base}${JWKS_PATH}` };
  const { signatures } = await generateAgentCardSignature(
    await importPKCS8(privatePem, ALGORITHM),
    header,
  )(AgentCard.fromJSON(card));
  return `${JSON.stringify({ ...card, signatures: signatures.map(({ protected: protectedHeader, signature }) => ({ protected: protectedHeader, signature })) })}\n`;
}
