import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileFault, type Fault } from '../registry/fault.ts';
import { describeReadError } from '../registry/files.ts';
import { imagesOf, MIN_PICTURE_SIZE } from '../site/pictures.ts';
import type { Registry } from '../site/registry.ts';

const IMAGE_FORMATS = ['jpeg', 'png', 'webp', 'heif'];

/** Limits on what a build has to decode; larger images would not improve pages. */
const MAX_FILE_MEGABYTES = 20;
const MAX_MEGAPIXELS = 100;

async function findImageProblem(folder: string, file: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(join(folder, file));
  } catch (error) {
    return describeReadError(error);
  }
  const megabytes = bytes.length / 1e6;
  if (megabytes > MAX_FILE_MEGABYTES)
    return `is ${megabytes.toFixed(1)} MB, which is too large. Use a file of at most ${MAX_FILE_MEGABYTES} MB.`;
  const { default: sharp } = await import('sharp');
  // The build reads all frames of an animation.
  const image = sharp(bytes, { failOn: 'error', limitInputPixels: false, pages: -1 });
  const metadata = await image.metadata().catch(() => undefined);
  if (!metadata || !IMAGE_FORMATS.includes(metadata.format) || metadata.compression === 'hevc')
    return 'is damaged or not an image that browsers can show. Save it as JPEG, PNG, WebP or AVIF, and upload it again.';
  const { width, height, pageHeight = height } = metadata;
  const size = `is ${width} by ${pageHeight} pixels`;
  if (width < MIN_PICTURE_SIZE.width || pageHeight < MIN_PICTURE_SIZE.height)
    return `${size}, which is too small. Use an image of at least ${MIN_PICTURE_SIZE.width} by ${MIN_PICTURE_SIZE.height} pixels.`;
  if (width * height > MAX_MEGAPIXELS * 1e6)
    return `${size}, which is too large. Use an image of at most ${MAX_MEGAPIXELS} million pixels, such as 10000 by 10000.`;
  return image
    .stats()
    .then(() => undefined)
    .catch(() => 'is cut off or damaged. Upload it again.');
}

/** The image files that the records name. */
export const listReferencedImages = (registry: Registry): string[] =>
  [...new Set(imagesOf(registry).map(({ image }) => image.file))].sort();

/** Finds the errors in the image files of a registry folder. */
export async function findImageFaults(folder: string, files: readonly string[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  // Images are checked one at a time, because each decoded image takes up to 300 MB.
  for (const file of files) {
    const problem = await findImageProblem(folder, file);
    if (problem !== undefined) faults.push(createFileFault(`${folder}/${file}`, problem));
  }
  return faults;
}
