import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { SocialImage } from '../../src/components/social-image/choice.ts';
import { CACHE_DIR, renderSocialImage } from '../../src/components/social-image/index.ts';

it('an image whose cached file was cut off is drawn again', async () => {
  const image: SocialImage = {
    name: 'cut-off',
    title: `Cut off ${Date.now()}`,
    text: 'A test',
    kind: 'Test',
    network: 'Test',
    icon: 'compass',
  };
  const listFiles = () => readdirSync(CACHE_DIR);
  await renderSocialImage({ ...image, title: 'Any' });
  const otherFiles = new Set(listFiles());
  const png = await renderSocialImage(image);
  const file = join(
    CACHE_DIR,
    listFiles().find((name) => !otherFiles.has(name))!,
  );
  onTestFinished(() => rmSync(file, { force: true }));
  for (const length of [png.length - 1, 0]) {
    truncateSync(file, length);
    expect((await renderSocialImage(image)).equals(png)).toBe(true);
    expect((await renderSocialImage(image)).equals(png)).toBe(true);
  }
});
