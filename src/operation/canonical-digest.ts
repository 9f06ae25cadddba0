import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** SHA-256 of the canonical JSON (RFC 8785) of a value, hexadecimal. */
export const digestCanonicalJson = (value: unknown): string =>
  createHash('sha256').update(canonicalize(value)!).digest('hex');
