import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { loadOnce } from '../../src/http/load-once.ts';
import type { View } from '../../src/http/views.ts';
import { createAstroRenderer } from '../../src/server/astro-renderer.ts';
import { sites } from '../operations/setup/fixture.ts';

it('a value is loaded once for concurrent and later calls, and again after a failure', async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('The disk is full.'))
    .mockResolvedValue('loaded');
  const get = loadOnce(load);
  const concurrentResults = await Promise.allSettled([get(), get()]);
  expect(concurrentResults.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(load).toHaveBeenCalledTimes(1);
  expect(await Promise.all([get(), get()])).toEqual(['loaded', 'loaded']);
  expect(await get()).toBe('loaded');
  expect(load).toHaveBeenCalledTimes(2);
});

it('pages are rendered once the page renderer can be loaded, after a failure to load it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'frontage-renderer-'));
  const entry = join(folder.path, 'entry.mjs');
  const { site } = sites[0]!;
  const render = createAstroRenderer(pathToFileURL(entry).href, site);
  const view = { kind: 'message' } as unknown as View;
  await expect(render(view)).rejects.toMatchObject({ code: 'ERR_MODULE_NOT_FOUND' });
  await writeFile(
    entry,
    'export const handler = async (request, response) => void response.writeHead(200).end(request.url);',
  );
  expect(await render(view)).toBe('/view/message');
});
