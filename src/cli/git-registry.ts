import { execFileSync } from 'node:child_process';
import { readRegistry } from '../registry/read.ts';
import type { Registry } from '../site/registry.ts';

const runGit = (folder: string, args: string[], input?: string) =>
  execFileSync('git', args, {
    cwd: folder,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'pipe'],
  });

/** A revision cannot be read; the message is one sentence with the reason. */
export class RevisionError extends Error {}

/**
 * Splits the output of `git cat-file --batch`. Each entry is a header line with the size in bytes,
 * the content, and a line feed.
 */
function splitBatch(batch: Buffer, count: number): string[] {
  const texts: string[] = [];
  for (let offset = 0; texts.length < count;) {
    const end = batch.indexOf('\n', offset);
    const size = Number(batch.toString('utf8', offset, end).split(' ')[2]);
    texts.push(batch.toString('utf8', end + 1, end + 1 + size));
    offset = end + 1 + size + 1;
  }
  return texts;
}

/**
 * Reads the registry of a folder at a git revision.
 * @throws {RevisionError} when git cannot find the revision or the folder did not exist in it
 * @throws {RegistryError} when the registry had errors at that revision
 */
export function readRegistryAtRevision(folder: string, revision: string): Registry {
  let listing: string;
  try {
    runGit(folder, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
    listing = runGit(folder, ['ls-tree', '-r', '-z', revision, '--', '.']);
  } catch {
    throw new RevisionError(
      `${revision} is not a revision of this git repository. Use a branch, a tag or a commit, for example origin/main.`,
    );
  }
  const files = listing
    .split('\0')
    .filter(Boolean)
    .map((line) => /^\d+ blob (\w+)\t(.+)$/.exec(line))
    .flatMap((match) => (match ? [{ object: match[1]!, file: match[2]! }] : []))
    .filter(
      ({ file }) =>
        !file.startsWith('schema/') && !file.split('/').some((part) => part.startsWith('.')),
    );
  if (!files.length)
    throw new RevisionError(`${folder} had no files at ${revision}. Choose a later revision.`);
  const batch = execFileSync('git', ['cat-file', '--batch'], {
    cwd: folder,
    input: files.map(({ object }) => object).join('\n'),
    maxBuffer: 1 << 30,
  });
  const root = `${revision}:${folder}`;
  return readRegistry(
    root,
    splitBatch(batch, files.length).map((text, index) => ({
      file: `${root}/${files[index]!.file}`,
      text,
    })),
  );
}
