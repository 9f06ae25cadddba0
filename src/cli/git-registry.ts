import { execFileSync } from 'node:child_process';
import { isIgnoredPath } from '../registry/files.ts';
import { readRegistry } from '../registry/read.ts';
import type { Source } from '../registry/source.ts';
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

function canRunGit(folder: string, ...args: string[]): boolean {
  try {
    runGit(folder, args);
    return true;
  } catch {
    return false;
  }
}

/** Why git does not know a revision in a folder, and what to do. */
function describeUnknownRevision(folder: string, revision: string): string {
  if (!canRunGit(folder, '--version')) return 'git cannot be started. Install it.';
  if (!canRunGit(folder, 'rev-parse', '--git-dir'))
    return `${folder} is not in a git repository that this user can read. Use --diff in a clone of the repository.`;
  return canRunGit(folder, 'rev-parse', '--verify', 'HEAD')
    ? `${revision} is not a revision of this git repository. Use a branch, a tag or a commit, for example HEAD.`
    : 'This git repository has no commits. Commit the registry first.';
}

/** Why a link has no text in the tree of a commit, by the word with which git reports it. */
const linkProblems: Readonly<Record<string, string>> = {
  dangling: 'is a link to a file that does not exist in this revision.',
  loop: 'is a link that leads back to itself.',
  notdir: 'is a link to a file that does not exist in this revision.',
  symlink: 'is a link out of the git repository, which has no revisions.',
  tree: 'is a link to a folder, which --diff does not follow.',
};

/**
 * Splits the output of `git cat-file --batch --follow-symlinks`. Each entry is a header line with
 * the size in bytes, the content, and a line feed.
 */
function splitBatch(batch: Buffer, files: readonly string[]): Source[] {
  let offset = 0;
  return files.map((file) => {
    const end = batch.indexOf('\n', offset);
    const [object = '', type = '', size] = batch.toString('utf8', offset, end).split(' ');
    const problem = linkProblems[size === undefined ? object : type];
    const textEnd = end + 1 + Number(size ?? type);
    const text = batch.toString('utf8', end + 1, textEnd);
    offset = textEnd + 1;
    return problem === undefined
      ? { file, text }
      : { file, text: '', unreadable: { problem, line: 1, column: 1 } };
  });
}

/**
 * Reads the registry of a folder at a git revision.
 * @throws {RevisionError} when git cannot find the revision or the folder did not exist in it
 * @throws {RegistryError} when the registry had errors at that revision
 */
export function readRegistryAtRevision(folder: string, revision: string): Registry {
  let commit: string;
  try {
    commit = runGit(folder, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]).trim();
  } catch {
    throw new RevisionError(describeUnknownRevision(folder, revision));
  }
  const files = runGit(folder, ['ls-tree', '-r', '-z', commit, '--', '.'])
    .split('\0')
    .flatMap((line) => /^\d+ blob \w+\t(.+)$/.exec(line)?.[1] ?? [])
    .filter((file) => !isIgnoredPath(file));
  if (!files.length)
    throw new RevisionError(`${folder} had no files at ${revision}. Choose a later revision.`);
  const batch = execFileSync('git', ['cat-file', '--batch', '--follow-symlinks'], {
    cwd: folder,
    input: files.map((file) => `${commit}:./${file}`).join('\n'),
    maxBuffer: 1 << 30,
  });
  const root = `${revision}:${folder}`;
  return readRegistry(
    root,
    splitBatch(
      batch,
      files.map((file) => `${root}/${file}`),
    ),
  );
}
