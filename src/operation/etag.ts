import { createHash } from 'node:crypto';

/** A strong ETag for a body (RFC 9110 section 8.8.3), in quotes. */
export const etagOf = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** The ETag of a document that is sent as JSON. */
export const jsonEtagOf = (document: unknown): string => etagOf(JSON.stringify(document));

/**
 * Whether If-None-Match names an ETag (RFC 9110 section 13.1.2). Weak and unquoted tags match,
 * because a compressing proxy may weaken an ETag, and a client that strips the quotes would
 * otherwise repeat a waiting read without pause.
 */
export const matchesEtag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' ||
  ifNoneMatch.split(',').some((tag) => {
    const sent = tag.trim().replace(/^W\//, '');
    return sent === etag || `"${sent}"` === etag;
  });
