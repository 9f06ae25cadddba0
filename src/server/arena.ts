import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ArenaIndex,
  type ArenaRow,
  buildFileNames,
  type Coding,
  NOT_FOUND_PATH,
  type Policy,
  readArenaIndex,
} from '../build/arena.ts';
import { listIncludes } from '../build/includes.ts';
import { toMarkdownPath } from '../site/site.ts';

/** A path in the build, and the file that it resolves to. */
export interface Entry {
  path: string;
  policy: Policy;
  hash: string;
  /** Bytes of the body in a coding, or undefined if not stored. */
  length: (coding: Coding) => number | undefined;
  body: (coding: Coding) => Buffer;
  /** Path of the Markdown version, for a page that has one. */
  markdownPath: string | undefined;
}

export interface Arena {
  index: Omit<ArenaIndex, 'rows'>;
  get: (path: string) => Entry | undefined;
  paths: () => Iterable<string>;
  redirects: ReadonlyMap<string, string>;
  /** Values that `?include=` may have at a path; empty if none. */
  includes: (path: string) => readonly string[];
  close: () => void;
}

/**
 * Maximum size, in bytes, of an arena whose requested bodies stay in memory; clients mostly request
 * one coding of each body. A larger arena is read from its file, through the system's page cache.
 */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** Opens the arena of a build. @throws if the folder has no build in this format */
export function openArena(outDir: string): Arena {
  const arenaIndex = readArenaIndex(outDir);
  if (!arenaIndex) throw new Error(`The build in ${outDir} has a different format. Build again.`);
  const { rows, ...index } = arenaIndex;
  const file = openSync(join(outDir, buildFileNames.arena), 'r');
  const shouldCacheBodies = fstatSync(file).size <= MAX_CACHED_BYTES;
  const read = (offset: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length);
    readSync(file, bytes, 0, length, offset);
    return bytes;
  };
  const documents = rows.filter(([, policy]) => index.policies[policy]!.kind === 'document');
  const includesByPath = Map.groupBy(
    listIncludes(documents.map(([path]) => path)),
    ({ path }) => path,
  );
  const entriesByPath = new Map<string, ArenaRow | Entry>(rows.map((row) => [row[0], row]));
  const makeEntry = ([path, policy, hash, offset, identity, gzip, br]: ArenaRow): Entry => {
    const ranges = {
      identity: [offset, identity],
      gzip: [offset + identity, gzip],
      br: [offset + identity + gzip, br],
    } as const;
    const kind = index.policies[policy]!;
    const cachedBodies: Partial<Record<Coding, Buffer>> = {};
    return {
      path,
      policy: kind,
      hash,
      length: (coding) => (coding === 'identity' ? identity : ranges[coding][1] || undefined),
      body(coding) {
        const body = cachedBodies[coding] ?? read(...ranges[coding]);
        if (shouldCacheBodies) cachedBodies[coding] = body;
        return body;
      },
      markdownPath:
        kind.kind === 'page' && entriesByPath.has(toMarkdownPath(path))
          ? toMarkdownPath(path)
          : undefined,
    };
  };
  return {
    index,
    get(path) {
      const found = entriesByPath.get(path);
      if (!Array.isArray(found)) return found;
      const entry = makeEntry(found);
      entriesByPath.set(path, entry);
      return entry;
    },
    paths: () => entriesByPath.keys(),
    redirects: new Map(index.redirects),
    includes: (path) => includesByPath.get(path)?.map(({ value }) => value) ?? [],
    close: () => closeSync(file),
  };
}

/** Whether a path can be requested; the not-found page is in the arena but has no URL. */
export const isRequestablePath = (path: string): boolean =>
  path !== NOT_FOUND_PATH && path !== toMarkdownPath(NOT_FOUND_PATH);
