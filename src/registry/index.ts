import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { decodeText } from '../text-encoding.js';
import { RegistryError } from './fault.ts';
import { isImageFile, readRegistry } from './read.ts';
import type { Registry } from '../site/registry.ts';
import type { Rule } from './rules/rule.ts';
import type { Source } from './source.ts';

const IGNORED_FOLDERS = new Set(['schema']);

/**
 * Lists all files of a registry folder except the editor schemas and dotfiles such as .git. Paths
 * are `root` plus the path in the folder, with `/` as the separator.
 */
export function readSources(dir: string, root: string = dir): Source[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.split('/').some((part) => part.startsWith('.')))
    .filter((file) => !IGNORED_FOLDERS.has(file.replace(/\/.*/s, '')))
    .sort()
    .map((file) => {
      if (isImageFile(file)) return { file: `${root}/${file}`, text: '' };
      const decodedText = decodeText(readFileSync(join(dir, file)));
      return 'text' in decodedText
        ? { file: `${root}/${file}`, text: decodedText.text }
        : { file: `${root}/${file}`, text: '', unreadable: decodedText };
    });
}

/**
 * Reads the registry in a folder. `more` contains additional rules; faults use `root` as the folder
 * name.
 * @throws {RegistryError} with every fault at once.
 */
export function loadRegistry(
  dir: string,
  more: readonly Rule[] = [],
  root: string = dir,
): Registry {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new RegistryError([
      {
        file: root,
        line: 1,
        column: 1,
        path: '',
        problem: 'is not a folder. Use the path of the registry folder, or set REGISTRY_DIR.',
      },
    ]);
  return readRegistry(root, readSources(dir, root), more);
}
