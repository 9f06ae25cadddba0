import { basename } from 'node:path';
import {
  currentRelease,
  rollBackTo,
  isRolledBack,
  madeAt,
  previousRelease,
  completeReleases,
} from '../build/releases.ts';
import { readStamp } from '../build/stamp.ts';
import { readBuiltSite } from '../server/built-site.ts';

/** A refused rollback, which changed nothing; the message says why and how to fix it. */
export class RollbackRefused extends Error {}

/** The SITE_URL that a release was built for; undefined if there is no complete one. */
export const baseOf = (release: string | undefined): string | undefined =>
  release !== undefined && readStamp(release) ? readBuiltSite(release).base : undefined;

/**
 * The releases in a folder as text lines, newest first: name, time, SITE_URL, and which one is
 * current.
 */
export function describeReleases(outDir: string): string[] {
  const current = currentRelease(outDir);
  const lines = completeReleases(outDir)
    .toReversed()
    .map((release) =>
      [
        basename(release),
        `built ${madeAt(release).slice(0, 16).replace('T', ' ')} UTC`,
        readBuiltSite(release).base,
        ...(release === current ? [isRolledBack(outDir) ? 'current, rolled back' : 'current'] : []),
      ].join('  '),
    );
  return lines.length ? lines : [`There is no release in ${outDir}. Run npm run build.`];
}

/**
 * Rolls back to a kept release by name, by default to the one before the current release. Returns
 * its name.
 * @throws {RollbackRefused} when there is no such release, or when it was built for another
 * SITE_URL than the current one and `otherAddress` does not allow that
 */
export function rollBack(outDir: string, name: string | undefined, otherAddress: boolean): string {
  const release =
    name === undefined
      ? previousRelease(outDir)
      : completeReleases(outDir).find((found) => basename(found) === name);
  if (!release)
    throw new RollbackRefused(
      `There is no ${name === undefined ? 'earlier release' : `release ${name}`} in ${outDir}. Nothing was changed.`,
    );
  const current = currentRelease(outDir);
  const [base, currentBase] = [release, current ?? release].map((of) => readBuiltSite(of).base);
  if (base !== currentBase && !otherAddress)
    throw new RollbackRefused(
      `${basename(release)} was built for ${base}, and the current release for ${currentBase}: every URL in its documents would change. Nothing was changed. Add --other-address to allow that.`,
    );
  rollBackTo(outDir, release);
  return basename(release);
}
