import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Font } from 'satori';
import type { SocialImage } from './choice.ts';
import { DRAWING_VERSION, drawSocialImage } from './draw.ts';

/** Cache of finished images, by a digest of their content. */
export const CACHE_DIR = join('node_modules', '.cache', 'frontage', 'social-images');

/** Type and checksum of the last chunk; a file that was cut off lacks them. */
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

/** The PNG of an image: from the cache, or newly drawn. */
export async function renderSocialImage(image: SocialImage): Promise<Buffer> {
  const file = join(
    CACHE_DIR,
    `${createHash('sha256')
      .update(JSON.stringify([DRAWING_VERSION, image]))
      .digest('hex')}.png`,
  );
  const cachedPng = existsSync(file) ? readFileSync(file) : undefined;
  if (cachedPng?.subarray(-PNG_END.length).equals(PNG_END)) return cachedPng;
  const png = await drawSocialImage(image, loadFonts());
  mkdirSync(CACHE_DIR, { recursive: true });
  writeFileSync(file, png);
  return png;
}
