import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { decodeText } from '../text-encoding.js';
import { createFileFault, RegistryError, RegistryFolderError } from './fault.ts';
import { describeReadError, isIgnoredPath, listRegistryFiles } from './files.ts';
import { isImageFile, isRecordFile, readRegistry } from './read.ts';
import type { Registry } from '../site/registry.ts';
import type { Rule } from './rules/rule.ts';
import type { Source } from './source/source.ts';

const NETWORK_FILE_PATTERN = /^network\.(?:ya?ml|json)$/i;

/** True if a path is a readable folder with a network record. */
function isRegistryFolder(dir: string): boolean {
  try {
    return readdirSync(dir).some((name) => NETWORK_FILE_PATTERN.test(name));
  } catch {
    return false;
  }
}

/** Yields a folder and all folders above it. */
function* listAncestors(dir: string): Generator<string> {
  yield dir;
  const parent = join(dir, '..');
  if (resolve(parent) !== resolve(dir)) yield* listAncestors(parent);
}

/** Finds the registry folder inside, above or next to a folder; undefined if there is none. */
function findNearbyRegistry(dir: string, names: readonly string[]): string | undefined {
  const ancestorFolders = [...listAncestors(dir)].flatMap((ancestor) => [
    ancestor,
    join(ancestor, 'registry'),
  ]);
  const foldersBelow = names.filter((name) => !isIgnoredPath(name)).map((name) => join(dir, name));
  return [join(dir, 'registry'), ...foldersBelow, ...ancestorFolders].find(isRegistryFolder);
}

/**
 * Checks that a folder has a network record. Faults call the folder `root`.
 * @throws {RegistryError}
 */
export function requireRegistryFolder(dir: string, root: string = dir): void {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw isMissing
      ? new RegistryFolderError([
          createFileFault(
            root,
            'is not a folder. Use the path of the registry folder, or set REGISTRY_DIR.',
          ),
        ])
      : new RegistryError([createFileFault(root, describeReadError(error))]);
  }
  if (names.some((name) => NETWORK_FILE_PATTERN.test(name))) return;
  const nearbyFolder = findNearbyRegistry(dir, names);
  const problem = `is not a registry folder, because it has no network.yaml. Use ${nearbyFolder ?? 'the path of the registry folder'}, or add the file.`;
  throw new RegistryFolderError([createFileFault(root, problem)]);
}

/**
 * Reads the records of a registry folder, and lists its other files without their text. Paths are
 * `root` plus the path in the folder, with `/` as the separator.
 * @throws {RegistryError} if it is not a registry folder, or a folder in it cannot be read
 */
export function readSources(dir: string, root: string = dir): Source[] {
  requireRegistryFolder(dir, root);
  const sources = listRegistryFiles(dir).map(({ file, problem }): Source => {
    const source = { file: `${root}/${file}`, text: '' };
    const withProblem = (text: string): Source => ({
      ...source,
      unreadable: { problem: text, line: 1, column: 1 },
    });
    if (problem !== undefined) return withProblem(problem);
    // Other files may be private; their text is neither read nor shown.
    if (!isRecordFile(file)) return source;
    try {
      const decodedText = decodeText(readFileSync(join(dir, file)));
      return 'text' in decodedText
        ? { ...source, text: decodedText.text }
        : { ...source, unreadable: decodedText };
    } catch (error) {
      return withProblem(describeReadError(error));
    }
  });
  // The records in an unreadable folder are unknown, so other faults would be misleading.
  const faults = sources.flatMap(({ file, unreadable }) => {
    const name = file.slice(root.length + 1);
    return unreadable && !isRecordFile(name) && !isImageFile(name)
      ? [{ file, path: '', ...unreadable }]
      : [];
  });
  if (faults.length) throw new RegistryError(faults);
  return sources;
}

/**
 * Reads the registry in a folder, which must also satisfy `extraRules`. Faults call the folder
 * `root`.
 * @throws {RegistryError} with every fault at once.
 */
export function loadRegistry(
  dir: string,
  extraRules: readonly Rule[] = [],
  root: string = dir,
): Registry {
  return readRegistry(root, readSources(dir, root), extraRules);
}
