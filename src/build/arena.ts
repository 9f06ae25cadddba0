import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Stored content codings, strongest compression first. */
export const codings = ['br', 'gzip', 'identity'] as const;

export type Coding = (typeof codings)[number];

/** A group of files that are served with the same headers. */
export interface Policy {
  /**
   * `page`: HTML; `document`: a discovery document; `asset`: a file with a hash in its name;
   * `file`: any other file.
   */
  kind: 'page' | 'document' | 'asset' | 'file';
  mediaType: string;
  /**
   * Headers by lowercase name, except those specific to one body: ETag, lengths, coding, type,
   * Vary.
   */
  headers: Readonly<Record<string, string>>;
}

/**
 * One path in the index: path, policy number, content hash, offset of its bodies in the arena, and
 * the sizes in bytes of the consecutive identity, gzip and brotli bodies; 0 for a coding that is
 * not stored.
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

/** Version of the file format; incremented when the format or the compressed bodies change. */
export const ARENA_FORMAT = 1;

/** `arena.json`: the entry for each path. The bodies are in `arena.bin`. */
export interface ArenaIndex {
  format: number;
  base: string;
  /** ISO 8601 time of the build. */
  generatedAt: string;
  policies: readonly Policy[];
  /** Path and target (site-relative or absolute) of every short link. */
  redirects: readonly (readonly [path: string, target: string])[];
  rows: readonly ArenaRow[];
}

/** Names of the files that the build writes beside `client` and `server`. */
export const buildFileNames = {
  arena: 'arena.bin',
  index: 'arena.json',
  site: 'site.json',
  stamp: 'stamp.json',
} as const;

/**
 * Index of the arena in a folder; undefined if it has a different format. @throws if it is missing
 */
export function readArenaIndex(folder: string): ArenaIndex | undefined {
  const index = JSON.parse(readFileSync(join(folder, buildFileNames.index), 'utf8')) as ArenaIndex;
  return index.format === ARENA_FORMAT ? index : undefined;
}

export const NOT_FOUND_PATH = '/404';

/** Hash of a body, the opaque part of its ETag: 128 bits of SHA-256 in base64url. */
export const hashContent = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, 22);

/** Strong ETag (RFC 9110 section 8.8.3) of a body in one coding; each coding has its own. */
export const etagOf = (hash: string, coding: Coding): string =>
  coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`;
