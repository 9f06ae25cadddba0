import { createHash } from 'node:crypto';

/** Content codings that a body is kept in, strongest first. */
export const codings = ['br', 'gzip', 'identity'] as const;

export type Coding = (typeof codings)[number];

/** How a group of files is served: with the same headers. */
export interface Policy {
  /**
   * `page`: HTML; `document`: a discovery document; `asset`: a file named by its hash; `file`: any
   * other.
   */
  kind: 'page' | 'document' | 'asset' | 'file';
  mediaType: string;
  /**
   * Response headers by lower-case name, without those that belong to one body (ETag, lengths,
   * coding, type, Vary).
   */
  headers: Readonly<Record<string, string>>;
}

/**
 * One path in the index: path, number of its policy, content hash, offset of its bodies in the
 * arena, and the bytes of the identity, gzip and brotli bodies, which follow each other; 0 where a
 * coding is not kept.
 */
export type ArenaRow = [
  path: string,
  policy: number,
  hash: string,
  offset: number,
  identity: number,
  gzip: number,
  brotli: number,
];

/** Version of the arena’s files; incremented when they, or the compressed bodies, change. */
export const ARENA_FORMAT = 1;

/** `arena.json`: the entry of each path. Its bodies are in `arena.bin`. */
export interface ArenaIndex {
  format: number;
  /** Origin that the build was made for. */
  base: string;
  /** ISO 8601 time of the build. */
  generatedAt: string;
  policies: readonly Policy[];
  /** Path and target (site-relative or absolute) of every short link. */
  redirects: readonly (readonly [path: string, target: string])[];
  rows: readonly ArenaRow[];
}

/** Names of the files that the build writes next to `client` and `server`. */
export const buildFiles = {
  arena: 'arena.bin',
  index: 'arena.json',
  site: 'site.json',
  stamp: 'stamp.json',
} as const;

/** Site path of the page that answers unknown addresses. */
export const NOT_FOUND = '/404';

/** Hash of a body, the opaque part of its ETag: 128 bits of SHA-256 in base64url. */
export const contentHash = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, 22);

/** Strong ETag (RFC 9110 section 8.8.3) of a body in one coding; each coding has its own. */
export const etagOf = (hash: string, coding: Coding): string =>
  coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`;
