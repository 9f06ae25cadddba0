import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { buildFileNames } from '../../src/build/arena.ts';
import {
  addRelease,
  findCurrentRelease,
  findPreviousRelease,
  listCompleteReleases,
  publishRelease,
  rollBackTo,
} from '../../src/build/releases.ts';
import { describeFileError, describeWriteOutside } from '../../src/cli/file-errors.ts';
import { writeStamp } from '../../src/build/stamp.ts';
import { mountSmallDisk } from '../db/setup/small-disk.ts';
import { runCommand } from '../setup/command.ts';

const [first, second, third] = ['01', '02', '03'].map(
  (day) => `202701${day}T101500000Z-abcdef`,
) as [string, string, string];

/**
 * An `OUT_DIR` with three releases. The last release is current; the first was built for another
 * URL.
 */
function releases(): string {
  const outDir = mkdtempSync(join(tmpdir(), 'frontage-releases-'));
  onTestFinished(() => rmSync(outDir, { recursive: true }));
  for (const name of [first, second, third]) {
    const release = join(outDir, 'releases', name);
    mkdirSync(join(release, buildFileNames.site, '..'), { recursive: true });
    const base = name === first ? 'https://old.example' : 'https://example.com';
    writeFileSync(join(release, buildFileNames.site), JSON.stringify({ base }));
    writeStamp(release, { inputs: '', code: '', metadata: '' });
  }
  // The folder of an incomplete release.
  mkdirSync(join(outDir, 'releases', '20270104T101500000Z-abcdef'));
  symlinkSync(join('releases', third), join(outDir, 'current'));
  return outDir;
}

const build = (outDir: string, ...args: string[]) =>
  runCommand('build', args, { OUT_DIR: outDir, SITE_URL: 'https://example.com' });
const currentReleaseOf = (outDir: string) => basename(readlinkSync(join(outDir, 'current')));

it('releases are listed with their time and URL, and the current release is marked', async () => {
  const outDir = releases();
  expect(await build(outDir, '--releases')).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      `${third}  built 2027-01-03 10:15 UTC  https://example.com  current`,
      `${second}  built 2027-01-02 10:15 UTC  https://example.com`,
      `${first}  built 2027-01-01 10:15 UTC  https://old.example`,
      '',
    ].join('\n'),
  });
  const none = join(outDir, 'none');
  expect(await build(outDir, '--releases', '--rollback')).toMatchObject({
    code: 2,
    stderr: 'error: Use either --releases or --rollback.\n',
  });
  expect(await build(outDir, '--other-address')).toMatchObject({
    code: 2,
    stderr: 'error: Use --other-address together with --rollback.\n',
  });
  expect((await build(none, '--releases')).stdout).toBe(
    `There is no release in ${none}. Run npm run build.\n`,
  );
});

it('releases can be rolled back step by step or by name, and forward again', async () => {
  const outDir = releases();
  expect(await build(outDir, '--rollback')).toMatchObject({
    code: 0,
    stdout: `${second} is the current release, until npm run build makes a new one. A running server switches to it within a few seconds. To return to the newest release without a build: npm run build -- --rollback ${third}\n`,
  });
  expect((await build(outDir, '--releases')).stdout).toContain('  current, rolled back\n');
  expect(await build(outDir, '--rollback', third)).toMatchObject({
    code: 0,
    stdout: `${third} is the current release. A running server switches to it within a few seconds.\n`,
  });
  // With the newest release current, registry changes take effect again.
  expect((await build(outDir, '--releases')).stdout).toContain('  current\n');
  expect(currentReleaseOf(outDir)).toBe(third);
  expect(await build(outDir, '--rollback', 'nothing')).toMatchObject({
    code: 1,
    stderr: `There is no release nothing in ${outDir}. Nothing was changed. Kept releases, newest first: ${third}, ${second}, ${first}.\n`,
  });
  const none = join(outDir, 'none');
  expect(await build(none, '--rollback', 'nothing')).toMatchObject({
    code: 1,
    stderr: `There is no release nothing in ${none}. Nothing was changed. Run npm run build.\n`,
  });
});

it('a second rollback returns to the release that was served before, not to a release that was rolled back', async () => {
  const outDir = releases();
  await build(outDir, '--rollback');
  const fourth = join(outDir, 'releases', '20270105T101500000Z-abcdef');
  cpSync(join(outDir, 'releases', third), fourth, { recursive: true });
  publishRelease(outDir, fourth);
  expect(currentReleaseOf(outDir)).toBe(basename(fourth));
  await build(outDir, '--rollback');
  expect(currentReleaseOf(outDir)).toBe(second);
});

it('the release that was served before is kept, however old, and a rollback returns to it', () => {
  const outDir = releases();
  const folderOf = (name: string) => resolve(outDir, 'releases', name);
  rollBackTo(outDir, folderOf(first));
  const newest = folderOf('20270105T101500000Z-abcdef');
  cpSync(folderOf(third), newest, { recursive: true });
  publishRelease(outDir, newest);
  expect(listCompleteReleases(outDir).map((release) => basename(release))).toEqual([
    first,
    second,
    third,
    basename(newest),
  ]);
  expect(findPreviousRelease(outDir)).toBe(folderOf(first));
});

it('a rollback to another SITE_URL needs explicit confirmation', async () => {
  const outDir = releases();
  await build(outDir, '--rollback');
  const refused = await build(outDir, '--rollback');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /was built for https:\/\/old\.example, and the current release for https:\/\/example\.com/,
  );
  expect(currentReleaseOf(outDir)).toBe(second);
  expect(await build(outDir, '--rollback', '--other-address')).toMatchObject({ code: 0 });
  expect(currentReleaseOf(outDir)).toBe(first);
  expect((await build(outDir, '--rollback')).stderr).toBe(
    `There is no earlier release in ${outDir}. Nothing was changed. To return to the newest release without a build: npm run build -- --rollback ${third} --other-address\n`,
  );
});

it('a refused rollback names an earlier release with the same SITE_URL', async () => {
  const outDir = releases();
  for (const [name, base] of [
    [first, 'https://example.com'],
    [second, 'https://old.example'],
  ] as const)
    writeFileSync(join(outDir, 'releases', name, buildFileNames.site), JSON.stringify({ base }));
  const { stderr } = await build(outDir, '--rollback');
  expect(stderr).toContain(`npm run build -- --rollback ${first}.`);
  expect(currentReleaseOf(outDir)).toBe(third);
  expect(await build(outDir, '--rollback', first)).toMatchObject({ code: 0 });
});

it.each([
  [{ SITE_URL: 'https://example.com/' }, 'SITE_URL: expected an absolute origin'],
  [{ OUT_DIR: '/dev/null/out' }, 'OUT_DIR: this user cannot write to /dev/null/out (ENOTDIR).'],
  [
    { OUT_DIR: '/proc/nothing/dist' },
    'OUT_DIR: this user cannot write to /proc/nothing/dist (ENOENT).',
  ],
])('no release is built with an invalid setting: %j', async (settings, sentence) => {
  const { code, stderr } = await runCommand('build', [], settings as Record<string, string>);
  expect(code).toBe(1);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toMatch(/\n\s+at /);
});

const disk = mountSmallDisk();
afterAll(() => disk?.remove());
it.skipIf(!disk)('a build on a full disk reports which setting to change', async () => {
  const outDir = join(disk!.folder, 'dist');
  disk!.fill();
  expect(await build(outDir)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `OUT_DIR: the disk with ${outDir} is full. Free some space, or set OUT_DIR to a folder on another disk.\n`,
  });
});

it.skipIf(!disk)('a disk that fills up during a build is named in one sentence', async () => {
  const outDir = join(disk!.folder, 'filling');
  disk!.clear();
  expect(await build(outDir)).toEqual({
    code: 1,
    stdout: '',
    stderr: `OUT_DIR: ${outDir}: The disk is full. Free some space, or choose a path on another disk. The current release was not changed.\n`,
  });
  expect(readdirSync(join(outDir, 'programs'))).toEqual([]);
});

it('a full disk is recognized in the text of an error without a code', () => {
  const error = new Error('Failed to write file\n\nCaused by:\n    No space (os error 28)\n');
  expect(describeFileError(error, 'dist')).toMatch(/^dist: The disk is full\. /);
  expect(describeFileError(new Error('(os error 999999)'))).toBeUndefined();
});

it('a build that writes outside of OUT_DIR to a read-only program says which OUT_DIR to use', () => {
  const path = resolve('.astro/content.d.ts');
  const error = Object.assign(new Error(), { code: 'EACCES', path });
  expect(describeWriteOutside(error, 'dist')).toBe(
    `A build into dist, which is in the program’s folder, also writes to that folder, and this user cannot write to ${path}. Set OUT_DIR to a folder outside it.`,
  );
  expect(describeWriteOutside(error, '/var/lib/build')).toBeUndefined();
  expect(
    describeWriteOutside(Object.assign(error, { path: resolve('dist/cache') }), 'dist'),
  ).toBeUndefined();
});

it('a release published after the clock went back is kept, and can be rolled back', async () => {
  const outDir = releases();
  vi.useFakeTimers({ now: new Date('2026-12-31T10:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (let round = 0; round < 2; round++) {
    const replaced = currentReleaseOf(outDir);
    const buildDir = join(outDir, 'next');
    mkdirSync(join(buildDir, 'server'), { recursive: true });
    writeStamp(buildDir, { inputs: '', code: '', metadata: '' });
    const release = addRelease(outDir, buildDir);
    publishRelease(outDir, release);
    expect(currentReleaseOf(outDir)).toBe(basename(release));
    expect(listCompleteReleases(outDir).at(-1)).toBe(resolve(release));
    expect(listCompleteReleases(outDir)).toHaveLength(3);
    expect(basename(findPreviousRelease(outDir)!)).toBe(replaced);
  }
  const oldRelease = join(outDir, 'releases', '20260101T101500000Z-abcdef');
  mkdirSync(oldRelease);
  writeStamp(oldRelease, { inputs: '', code: '', metadata: '' });
  publishRelease(outDir, oldRelease);
  expect(findCurrentRelease(outDir)).toSatisfy(existsSync);
});
