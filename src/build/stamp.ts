import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listRegistryFiles } from '../registry/files.ts';
import { readSettings } from '../settings.ts';
import { buildFileNames } from './arena.ts';

/**
 * Sources of a build other than the registry, relative to the project, which is the working
 * directory.
 */
export const CODE_SOURCES = [
  'src',
  'db',
  'public',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
];

/**
 * Identifies a build. `inputs` is a digest of all sources and build settings, `code` a digest of
 * the program alone, and `metadata` a digest of names, sizes and times, which detects unchanged
 * sources without reading them.
 */
export interface Stamp {
  inputs: string;
  code: string;
  metadata: string;
}

interface Source {
  path: string;
  size: number;
  time: number;
}

interface Sources {
  settings: string;
  code: Source[];
  registry: Source[];
}

function listFiles(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (stat.isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\/\./.test(file.slice(path.length)))
    .sort();
}

function listSources(): Sources {
  const { registryDir, siteUrl, dynamic, sourceDateEpoch, agentCardKey, receiptSigningKey } =
    readSettings();
  const readSource = (path: string): Source => {
    const { size, mtimeMs: time } = statSync(path);
    return { path, size, time };
  };
  const registryFiles = listRegistryFiles(registryDir).flatMap(({ file, problem }) =>
    problem === undefined ? [join(registryDir, file)] : [],
  );
  return {
    settings: JSON.stringify([
      registryDir,
      siteUrl,
      dynamic,
      sourceDateEpoch,
      agentCardKey,
      receiptSigningKey,
    ]),
    code: CODE_SOURCES.flatMap(listFiles).map(readSource),
    registry: registryFiles.map(readSource),
  };
}

const digest = (parts: Iterable<string | Uint8Array>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url');
};

const digestMetadata = ({ settings, code, registry }: Sources): string =>
  digest([
    settings,
    ...[...code, ...registry].map(({ path, size, time }) => `\0${path}\0${size}\0${time}`),
  ]);

function* streamBytes(files: readonly Source[]): Generator<string | Uint8Array> {
  for (const { path } of files) {
    yield `\0${path}\0`;
    yield readFileSync(path);
  }
}

function computeStamp(sources: Sources): Stamp {
  const code = digest(streamBytes(sources.code));
  const registry = digest(streamBytes(sources.registry));
  return {
    inputs: digest([sources.settings, code, registry]),
    code,
    metadata: digestMetadata(sources),
  };
}

export const computeCurrentStamp = (): Stamp => computeStamp(listSources());

/** The stamp of a build; undefined if there is no complete build. */
export function readStamp(outDir: string): Stamp | undefined {
  try {
    return JSON.parse(readFileSync(join(outDir, buildFileNames.stamp), 'utf8')) as Stamp;
  } catch {
    return undefined;
  }
}

/** Marks a build as complete, as its last step. */
export function writeStamp(outDir: string, stamp: Stamp): void {
  writeFileSync(join(outDir, buildFileNames.stamp), JSON.stringify(stamp));
}

/** True if the inputs to a build still have the same sizes and modification times. */
export const isMetadataUnchanged = (outDir: string): boolean =>
  readStamp(outDir)?.metadata === digestMetadata(listSources());

/** True if a build matches the sources; stamps it again if only modification times differ. */
export function isBuildCurrent(outDir: string): boolean {
  const builtStamp = readStamp(outDir);
  if (!builtStamp) return false;
  const currentSources = listSources();
  if (digestMetadata(currentSources) === builtStamp.metadata) return true;
  const stamp = computeStamp(currentSources);
  if (stamp.inputs !== builtStamp.inputs) return false;
  writeStamp(outDir, stamp);
  return true;
}
