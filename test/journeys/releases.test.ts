import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { rebuildUnderLoad } from '../setup/rebuild-under-load.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-releases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a network that is rebuilt while it serves fails no request, and goes back', async () => {
  const { answered, failed, titles, said } = await rebuildUnderLoad(folder, 3);
  expect(failed).toEqual([]);
  expect(titles).toEqual([1, 2, 3, 2].map((round) => `The Book Bus ${round}`));
  expect(answered).toBeGreaterThan(100);
  expect(said).toContain('The new release has other server code');
  expect(said).not.toContain('"level":50');
  expect(readdirSync(join(folder, 'dist/releases'))).toHaveLength(3);
}, 400_000);
