import * as v from 'valibot';
import type { Context } from '../../operation/context.ts';
import { createTextSchema } from '../../operation/validate.ts';

/** The signature of a receipt or a status. */
export const proofSchema = v.optional(
  createTextSchema(
    'Detached JWS (RFC 7515 appendix F, EdDSA) over the canonical JSON (RFC 8785) of this document without proof; its key is in /.well-known/jwks.json. Absent if the service does not sign documents; the note in jwks.json then says so.',
  ),
);

/**
 * Signs a receipt or a status if the service has a signing key. Identical documents have identical
 * signatures.
 */
export const withProof = async <Document extends { proof?: string | undefined }>(
  document: Document,
  { signDocument }: Pick<Context, 'signDocument'>,
): Promise<Document> =>
  signDocument ? { ...document, proof: await signDocument(document) } : document;
