import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { removeUnusedRenderers, shareRenderer } from './shared-renderer.ts';
import { readStamp } from './stamp.ts';

/** Number of releases to keep, for rollbacks. */
const MAX_RELEASES = 3;

const releasesPath = (outDir: string): string => join(outDir, 'releases');
const pointerPath = (outDir: string): string => join(outDir, 'current');
/** Link to the release that was current when the newest release was published. */
const replacedPointerPath = (outDir: string): string => join(outDir, 'replaced');
const rollbackMarkerPath = (outDir: string): string => join(outDir, 'rolled-back');

/** Folder that a link in the build folder points to; undefined if there is no link. */
function readLinkedRelease(outDir: string, pointer: string): string | undefined {
  try {
    return resolve(outDir, readlinkSync(pointer));
  } catch {
    return undefined;
  }
}

/** Folder of the current release, with its link resolved; undefined if there is none. */
export const findCurrentRelease = (outDir: string): string | undefined =>
  readLinkedRelease(outDir, pointerPath(outDir));

/** Folder of the current release, which may not exist. */
export const currentReleasePath = (outDir: string): string =>
  findCurrentRelease(outDir) ?? pointerPath(outDir);

/**
 * Makes a finished build a release and returns its folder. Names sort by creation time, even if the
 * clock has been set back since the newest release.
 */
export function addRelease(outDir: string, buildDir: string): string {
  const newestRelease = listCompleteReleases(outDir).at(-1);
  const newestTime = newestRelease === undefined ? 0 : Date.parse(releaseTimeOf(newestRelease));
  // A folder that someone else put there has no time in its name.
  const time = new Date(Math.max(Date.now(), Number.isNaN(newestTime) ? 0 : newestTime + 1))
    .toISOString()
    .replace(/[-:.]/g, '');
  const release = join(releasesPath(outDir), `${time}-${randomBytes(3).toString('hex')}`);
  mkdirSync(releasesPath(outDir), { recursive: true });
  shareRenderer(outDir, buildDir, release);
  renameSync(buildDir, release);
  return release;
}

/** Atomically points a link to a release; by default, this makes the release current. */
function writePointer(outDir: string, release: string, pointer = pointerPath(outDir)): void {
  const temporaryPointer = `${pointer}.next`;
  rmSync(temporaryPointer, { force: true });
  symlinkSync(join('releases', basename(release)), temporaryPointer);
  renameSync(temporaryPointer, pointer);
}

/** Folders of the complete releases, oldest first. */
export const listCompleteReleases = (outDir: string): string[] =>
  (existsSync(releasesPath(outDir)) ? readdirSync(releasesPath(outDir)) : [])
    .sort()
    .map((name) => resolve(releasesPath(outDir), name))
    .filter((release) => readStamp(release));

/** ISO 8601 creation time of a release, from its name. */
export const releaseTimeOf = (release: string): string =>
  basename(release).replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/,
    '$1-$2-$3T$4:$5:$6.$7Z',
  );

/** Makes a complete release current and deletes surplus and incomplete releases. */
export function publishRelease(outDir: string, release: string): void {
  const replacedRelease = findCurrentRelease(outDir);
  if (replacedRelease) writePointer(outDir, replacedRelease, replacedPointerPath(outDir));
  writePointer(outDir, release);
  rmSync(rollbackMarkerPath(outDir), { force: true });
  // A server may still serve the replaced release, and a rollback returns to it.
  const keptReleases = new Set([
    ...listCompleteReleases(outDir).slice(-MAX_RELEASES),
    resolve(release),
    ...(replacedRelease ? [replacedRelease] : []),
  ]);
  for (const name of readdirSync(releasesPath(outDir))) {
    const releasePath = resolve(releasesPath(outDir), name);
    if (!keptReleases.has(releasePath)) rmSync(releasePath, { recursive: true, force: true });
  }
  removeUnusedRenderers(outDir, [...keptReleases]);
}

/**
 * Folder of the release that a rollback makes current; undefined if there is none. The newest
 * release rolls back to the release that it replaced, if that still exists. Otherwise, a rollback
 * goes to the next older release.
 */
export function findPreviousRelease(outDir: string): string | undefined {
  const currentRelease = findCurrentRelease(outDir);
  const releases = listCompleteReleases(outDir);
  const replacedRelease =
    currentRelease === releases.at(-1)
      ? readLinkedRelease(outDir, replacedPointerPath(outDir))
      : undefined;
  return (
    releases.find((release) => release === replacedRelease && release !== currentRelease) ??
    releases.findLast((release) => currentRelease !== undefined && release < currentRelease)
  );
}

/**
 * Makes a complete release current. An older release stays current until the next build; making the
 * newest release current ends the rollback.
 */
export function rollBackTo(outDir: string, release: string): void {
  if (release === listCompleteReleases(outDir).at(-1))
    rmSync(rollbackMarkerPath(outDir), { force: true });
  else writeFileSync(rollbackMarkerPath(outDir), `${basename(release)}\n`);
  writePointer(outDir, release);
}

/** True if the current release is served, although it is not the newest, because of a rollback. */
export const isRolledBack = (outDir: string): boolean => existsSync(rollbackMarkerPath(outDir));
