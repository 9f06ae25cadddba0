import { execFileSync } from 'node:child_process';
import { RegistryError } from '../registry/fault.ts';
import { isIgnoredPath } from '../registry/files.ts';
import { readRegistry } from '../registry/read.ts';
import type { Source } from '../registry/source/source.ts';
import type { Registry } from '../site/registry.ts';
import { pluralize } from '../site/words/quantity.ts';

const runGit = (folder: string, args: string[]) =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'pipe'],
  });

/** Thrown when a revision cannot be read; the message gives the reason and what to do. */
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
  if (!canRunGit(folder, 'rev-parse', '--verify', 'HEAD'))
    return 'This git repository has no commits. Commit the registry first.';
  const isShallow = runGit(folder, ['rev-parse', '--is-shallow-repository']).trim() === 'true';
  return `${revision} is not a revision of this git repository. ${
    isShallow
      ? 'The clone is shallow and has only the latest commits of one branch. Clone without --depth, or with fetch-depth: 0 in GitHub Actions.'
      : 'Use a branch, a tag or a commit, for example HEAD.'
  }`;
}

/** Why a link in a commit's tree has no content, keyed by the word with which git reports it. */
const linkProblems: Readonly<Record<string, string>> = {
  dangling: 'is a link to a file that does not exist in this revision.',
  loop: 'is a link that points back to itself.',
  notdir: 'is a link to a file that does not exist in this revision.',
  symlink: 'is a link out of the git repository, and git has no revisions of its target.',
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
 * @throws {RevisionError} when git cannot find the revision, the folder did not exist in it, or the
 *   registry had faults at that revision
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
    throw new RevisionError(
      runGit(folder, ['ls-tree', 'HEAD', '--', '.'])
        ? `${folder} had no files at ${revision}. Choose a later revision.`
        : `No file in ${folder} has been committed. Commit the folder first.`,
    );
  const batch = execFileSync('git', ['cat-file', '--batch', '--follow-symlinks'], {
    cwd: folder,
    input: files.map((file) => `${commit}:./${file}`).join('\n'),
    maxBuffer: 1 << 30,
  });
  const root = `${revision}:${folder}`;
  try {
    return readRegistry(
      root,
      splitBatch(
        batch,
        files.map((file) => `${root}/${file}`),
      ),
    );
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    throw new RevisionError(
      `${error.message}\n${revision} has ${pluralize(error.faults.length, 'this fault', 'these faults')} and cannot be compared; ${folder} has none. Choose a revision without faults.`,
    );
  }
}
