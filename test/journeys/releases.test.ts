import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { currentRelease } from '../../src/build/releases.ts';
import { copyBuild, shareProgram } from '../setup/built-networks.ts';
import { build, rebuildUnderLoad } from '../setup/rebuild-under-load.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-releases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Builds that begin together end one after the other, and each is whole. */
async function buildTwiceAtOnce(checkout: string, environment: NodeJS.ProcessEnv): Promise<void> {
  shareProgram(join(checkout, 'dist'));
  copyBuild(inject('fourBuild'), join(checkout, 'dist'), ['cache']);
  const said = await Promise.all([1, 2].map(() => build(checkout, environment)));
  const waiting = 'Another process writes to dist. Waiting for it to end.';
  expect(said.filter((text) => text.includes(waiting))).toHaveLength(1);
  const releases = readdirSync(join(checkout, 'dist/releases'));
  expect(releases).toHaveLength(2);
  for (const release of releases)
    expect(existsSync(join(checkout, 'dist/releases', release, 'server/entry.mjs'))).toBe(true);
  expect(basename(currentRelease(join(checkout, 'dist'))!)).toBe(releases.sort().at(-1));
}

it('a network that is built twice at once, and rebuilt while it serves, fails no request, and goes back', async () => {
  const { answered, failed, titles, changes, said } = await rebuildUnderLoad(
    join(folder, 'served'),
    2,
    buildTwiceAtOnce,
  );
  expect(failed).toEqual([]);
  expect(titles).toEqual([1, 2, 1].map((round) => `The Book Bus ${round}`));
  const changed = (days: number) => `bus.wish-for-a-book: retentionDays changed from ${days} to 61`;
  expect(changes).toEqual([[changed(60)], [], [changed(62)]]);
  expect(answered).toBeGreaterThan(100);
  expect(said).toContain('The new release has other server code');
  expect(said).not.toContain('"level":50');
  expect(readdirSync(join(folder, 'served/dist/releases'))).toHaveLength(3);
}, 600_000);
