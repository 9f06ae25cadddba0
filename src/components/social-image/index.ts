import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Font } from 'satori';
import type { SocialImage } from './choice.ts';
import { DRAWING_VERSION, drawSocialImage } from './draw.ts';

/** Type and checksum of the last chunk; a truncated file lacks them. */
const PNG_END = Buffer.from('IEND\xae\x42\x60\x82', 'latin1');

let loadedFonts: Font[] | undefined;

function loadFonts(): Font[] {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  return (loadedFonts ??= ([500, 800] as const).map((weight) => ({
    name: 'Bricolage Grotesque',
    weight,
    data: readFileSync(
      resolve(
        `@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-${weight}-normal.woff`,
      ),
    ),
  })));
}

/**
 * The PNG of an image, either newly drawn or from a folder of finished images named by a digest of
 * their content. An image that cannot be saved in the folder is drawn again next time.
 */
export async function renderSocialImage(image: SocialImage, cacheDir: string): Promise<Buffer> {
  const file = join(
    cacheDir,
    `${createHash('sha256')
      .update(JSON.stringify([DRAWING_VERSION, image]))
      .digest('hex')}.png`,
  );
  const cachedPng = existsSync(file) ? readFileSync(file) : undefined;
  if (cachedPng?.subarray(-PNG_END.length).equals(PNG_END)) return cachedPng;
  const png = await drawSocialImage(image, loadFonts());
  try {
    mkdirSync(cacheDir, { recursive: true });
    writeFileSync(file, png);
  } catch {
    // Nothing depends on the cache.
  }
  return png;
}
