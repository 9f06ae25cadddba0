import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileFault, type Fault } from '../registry/fault.ts';
import { describeReadError } from '../registry/files.ts';
import { imagesOf, MIN_PICTURE_SIZE } from '../site/pictures.ts';
import type { Registry } from '../site/registry.ts';

const IMAGE_TYPES = ['jpg', 'jpeg', 'png', 'webp', 'avif', 'heif'];

async function findImageProblem(folder: string, file: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(join(folder, file));
  } catch (error) {
    return describeReadError(error);
  }
  const { imageMetadata } = await import('astro/assets/utils');
  const metadata = await imageMetadata(bytes, file).catch(() => undefined);
  if (!metadata || !IMAGE_TYPES.includes(metadata.format))
    return 'is not an image that browsers can show. Save it as JPEG, PNG, WebP or AVIF.';
  const { width, height } = metadata;
  return width < MIN_PICTURE_SIZE.width || height < MIN_PICTURE_SIZE.height
    ? `is ${width} by ${height} pixels, which is too small. Use an image of at least ${MIN_PICTURE_SIZE.width} by ${MIN_PICTURE_SIZE.height} pixels.`
    : undefined;
}

/** The errors in a registry’s image files; error messages show `root` as the registry folder. */
export async function findImageFaults(
  folder: string,
  registry: Registry,
  root: string = folder,
): Promise<Fault[]> {
  const files = [...new Set(imagesOf(registry).map(({ image }) => image.file))].sort();
  const faults = await Promise.all(
    files.map(async (file) => {
      const problem = await findImageProblem(folder, file);
      return problem === undefined ? [] : [createFileFault(`${root}/${file}`, problem)];
    }),
  );
  return faults.flat();
}
