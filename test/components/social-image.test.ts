import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { SocialImage } from '../../src/components/social-image/choice.ts';
import { renderSocialImage } from '../../src/components/social-image/index.ts';

const cacheDir = mkdtempSync(join(tmpdir(), 'frontage-social-images-'));
afterAll(() => rmSync(cacheDir, { recursive: true }));

const image: SocialImage = {
  name: 'cut-off',
  title: 'Cut off',
  text: 'A test',
  kind: 'Test',
  network: 'Test',
  icon: 'compass',
};

it('an image whose cached file was cut off is drawn again', async () => {
  const png = await renderSocialImage(image, cacheDir);
  const file = join(cacheDir, readdirSync(cacheDir)[0]!);
  for (const length of [png.length - 1, 0]) {
    truncateSync(file, length);
    expect((await renderSocialImage(image, cacheDir)).equals(png)).toBe(true);
    expect((await renderSocialImage(image, cacheDir)).equals(png)).toBe(true);
  }
});

it('an image is drawn even if it cannot be kept', async () => {
  const png = await renderSocialImage(image, cacheDir);
  const unusableFolder = join(cacheDir, readdirSync(cacheDir)[0]!, 'folder');
  expect((await renderSocialImage(image, unusableFolder)).equals(png)).toBe(true);
});
