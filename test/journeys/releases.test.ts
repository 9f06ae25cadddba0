import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { findCurrentRelease } from '../../src/build/releases.ts';
import { copyBuild, copyProgram } from '../setup/built-networks.ts';
import { findProgram } from '../setup/programs.ts';
import { build, rebuildUnderLoad } from '../setup/rebuild-under-load.ts';
import { expectReleaseBehindNginx } from './release-behind-nginx.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-releases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first release is the build that all tests share. */
function copyFirstRelease(checkout: string): void {
  copyProgram(join(checkout, 'dist'));
  copyBuild(inject('fourBuild'), join(checkout, 'dist'));
}

/** Runs two builds at once: they take turns, and both finish with a complete release. */
async function buildTwiceAtOnce(checkout: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const listReleases = () => readdirSync(join(checkout, 'dist/releases'));
  const oldReleases = listReleases();
  const outputs = await Promise.all([1, 2].map(() => build(checkout, environment)));
  const waitNotice = 'Another process is writing to dist. Waiting for it to finish.';
  expect(outputs.filter((text) => text.includes(waitNotice))).toHaveLength(1);
  const releases = listReleases().filter((name) => !oldReleases.includes(name));
  expect(releases).toHaveLength(2);
  for (const release of releases)
    expect(existsSync(join(checkout, 'dist/releases', release, 'server/entry.mjs'))).toBe(true);
  expect(basename(findCurrentRelease(join(checkout, 'dist'))!)).toBe(releases.sort().at(-1));
}

it('a network that is rebuilt under load, also twice at once and behind nginx, fails no request and can be rolled back', async () => {
  const { successCount, failures, titles, contractChanges, output } = await rebuildUnderLoad(
    join(folder, 'served'),
    2,
    copyFirstRelease,
    (checkout, environment, { origin, title }) => {
      if (title.endsWith('1')) return buildTwiceAtOnce(checkout, environment);
      const buildOnce = () => build(checkout, environment);
      return findProgram('nginx')
        ? expectReleaseBehindNginx(origin, title, buildOnce)
        : buildOnce();
    },
  );
  expect(failures).toEqual([]);
  expect(titles).toEqual([1, 2, 1].map((round) => `The Book Bus ${round}`));
  const describeChange = (days: number) =>
    `bus.wish-for-a-book: retentionDays changed from ${days} to 61`;
  expect(contractChanges).toEqual([[describeChange(60)], [], [describeChange(62)]]);
  expect(successCount).toBeGreaterThan(100);
  expect(output).toContain('The new release has different server code');
  expect(output).not.toContain('"level":50');
  expect(output).not.toContain('Building');
  expect(readdirSync(join(folder, 'served/dist/releases'))).toHaveLength(3);
}, 600_000);
