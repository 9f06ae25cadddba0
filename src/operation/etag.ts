import { createHash } from 'node:crypto';

/** A strong ETag for a body (RFC 9110 section 8.8.3), in quotes. */
export const etagOf = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
