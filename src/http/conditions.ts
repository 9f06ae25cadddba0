import { codings, etagOf as etagInCoding } from '../build/arena.ts';
import { jsonEtagOf, matchesEtag } from '../operation/etag.ts';
import type { Call, Operation } from '../operation/operation.ts';

/** The ETag of a response in a content coding; `etag` is that of the uncoded response. */
export const etagForCoding = (etag: string, coding: (typeof codings)[number]): string =>
  etagInCoding(etag.slice(1, -1), coding);

/** The ETags of a response in each content coding; `etag` is that of the uncoded response. */
const listEtags = (etag: string): string[] => codings.map((coding) => etagForCoding(etag, coding));

/**
 * The ETag of a response that If-None-Match names, in any content coding; undefined if it names
 * none. `etag` is that of the uncoded response.
 */
export const findKnownEtag = (ifNoneMatch: string, etag: string): string | undefined =>
  listEtags(etag).find((one) => matchesEtag(ifNoneMatch, one));

/** The call for a read, with the caller's ETag if the operation's responses have ETags. */
export function createReadCall({ etag }: Operation, request: Request): Call {
  const ifNoneMatch = etag ? request.headers.get('if-none-match') : null;
  // An asterisk matches any version.
  if (ifNoneMatch === null || ifNoneMatch.trim() === '*') return { channel: 'json' };
  return {
    channel: 'json',
    isKnown: (output) => findKnownEtag(ifNoneMatch, jsonEtagOf(output)) !== undefined,
    signal: request.signal,
  };
}

/**
 * The condition in If-Match, which an operation checks against its contract or the ETag of its
 * resource. Weak validators never match (RFC 9110 section 13.1.1).
 */
export function readIfMatch({ headers }: Request): Pick<Call, 'contracts' | 'isCurrent'> {
  const ifMatch = headers.get('if-match');
  if (ifMatch === null || ifMatch.trim() === '*') return {};
  const tags = ifMatch.split(',').map((one) => one.trim().replace(/^"(.*)"$/, '$1'));
  return {
    contracts: tags,
    isCurrent: (output) =>
      listEtags(jsonEtagOf(output)).some((etag) => tags.includes(etag.slice(1, -1))),
  };
}
