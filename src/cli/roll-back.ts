import { basename } from 'node:path';
import {
  findCurrentRelease,
  rollBackTo,
  isRolledBack,
  releaseTimeOf,
  findPreviousRelease,
  listCompleteReleases,
} from '../build/releases.ts';
import { readStamp } from '../build/stamp.ts';
import { readBuiltSite } from '../server/built-site.ts';

/**
 * Thrown when a rollback is refused and nothing has changed. The message gives the reason and the
 * fix.
 */
export class RollbackError extends Error {}

/** The SITE_URL of a release; undefined if the release is missing or incomplete. */
export const readReleaseBase = (release: string | undefined): string | undefined =>
  release !== undefined && readStamp(release) ? readBuiltSite(release).base : undefined;

/**
 * Lists the releases in a folder as text lines, newest first: name, time, SITE_URL, and a mark for
 * the current release.
 */
export function describeReleases(outDir: string): string[] {
  const current = findCurrentRelease(outDir);
  const lines = listCompleteReleases(outDir)
    .toReversed()
    .map((release) =>
      [
        basename(release),
        `built ${releaseTimeOf(release).slice(0, 16).replace('T', ' ')} UTC`,
        readBuiltSite(release).base,
        ...(release === current ? [isRolledBack(outDir) ? 'current, rolled back' : 'current'] : []),
      ].join('  '),
    );
  return lines.length ? lines : [`There is no release in ${outDir}. Run npm run build.`];
}

/** How to make the newest release current again; empty unless a rollback is in effect. */
export function describeReturnToNewest(outDir: string): string {
  const newest = listCompleteReleases(outDir).at(-1);
  if (newest === undefined || !isRolledBack(outDir)) return '';
  const isOtherAddress = readReleaseBase(newest) !== readReleaseBase(findCurrentRelease(outDir));
  return ` To return to the newest release without a build: npm run build -- --rollback ${basename(newest)}${isOtherAddress ? ' --other-address' : ''}`;
}

/**
 * Rolls back to a kept release, by default the one before the current release. Returns its name.
 * @throws {RollbackError} when there is no such release, or when its SITE_URL differs from the
 * current release and `allowOtherAddress` does not allow that
 */
export function rollBack(
  outDir: string,
  name: string | undefined,
  allowOtherAddress: boolean,
): string {
  const releases = listCompleteReleases(outDir).toReversed();
  const release =
    name === undefined
      ? findPreviousRelease(outDir)
      : releases.find((found) => basename(found) === name);
  if (!release) {
    const keptReleases = `Kept releases, newest first: ${releases.map((kept) => basename(kept)).join(', ')}.`;
    throw new RollbackError(
      name === undefined
        ? `There is no earlier release in ${outDir}. Nothing was changed.${describeReturnToNewest(outDir)}`
        : `There is no release ${name} in ${outDir}. Nothing was changed. ${releases.length ? keptReleases : 'Run npm run build.'}`,
    );
  }
  const current = findCurrentRelease(outDir);
  const [base, currentBase] = [release, current ?? release].map(
    (folder) => readBuiltSite(folder).base,
  );
  if (base !== currentBase && !allowOtherAddress) {
    const alternative = listCompleteReleases(outDir).findLast(
      (other) => other < release && readBuiltSite(other).base === currentBase,
    );
    throw new RollbackError(
      `${basename(release)} was built for ${base}, and the current release for ${currentBase}: every URL in its documents would change. Nothing was changed. ${alternative === undefined ? '' : `For a release with the same SITE_URL: npm run build -- --rollback ${basename(alternative)}. `}Add --other-address to allow the change.`,
    );
  }
  rollBackTo(outDir, release);
  return basename(release);
}
