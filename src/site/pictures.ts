import type { Image } from '../registry/schemas/image.ts';
import type { Registry } from './registry.ts';

/** An image file on a page, cropped to width and height in pixels. */
export interface Picture {
  /** Site-relative path. */
  path: string;
  file: string;
  width: number;
  height: number;
  format: 'avif' | 'webp' | 'jpeg';
}

/** Widths of an image in pixels, for phones and for large or high-resolution screens. */
const PICTURE_WIDTHS = [480, 960] as const;
/** Minimum size of an image in pixels; the image for sharing has the same width. */
export const MIN_PICTURE_SIZE = { width: 1200, height: 900 } as const;
const SOCIAL_PICTURE_SIZE = { width: 1200, height: 630 } as const;

const extensions = { avif: 'avif', webp: 'webp', jpeg: 'jpg' } as const;

function createPicture(
  { file }: Pick<Image, 'file'>,
  width: number,
  height: number,
  format: Picture['format'],
): Picture {
  const name = file.slice('images/'.length).replace('.', '-');
  return {
    path: `/pictures/${name}-${width}x${height}.${extensions[format]}`,
    file,
    width,
    height,
    format,
  };
}

export const picturesOf = (image: Pick<Image, 'file'>, format: Picture['format']): Picture[] =>
  PICTURE_WIDTHS.map((width) => createPicture(image, width, (width * 3) / 4, format));

/** The file for programs that need a single file, such as older browsers. */
export const fallbackPictureOf = (image: Pick<Image, 'file'>): Picture =>
  picturesOf(image, 'jpeg').at(-1)!;

export const socialPictureOf = (image: Pick<Image, 'file'>): Picture =>
  createPicture(image, SOCIAL_PICTURE_SIZE.width, SOCIAL_PICTURE_SIZE.height, 'jpeg');

/** Lists every image in records, with its record and path. */
export function imagesOf({ subsites, catalogs }: Pick<Registry, 'subsites' | 'catalogs'>): {
  record: string;
  path: (string | number)[];
  image: Image;
}[] {
  return [
    ...subsites.flatMap(({ name, image }) =>
      image ? [{ record: `subsites/${name}`, path: ['image'], image }] : [],
    ),
    ...Object.entries(catalogs).flatMap(([name, { items }]) =>
      items.flatMap(({ image }, index) =>
        image ? [{ record: `catalog/${name}`, path: ['items', index, 'image'], image }] : [],
      ),
    ),
  ];
}

/** Lists every image file in a network, without duplicates. */
export function listPictures(registry: Pick<Registry, 'subsites' | 'catalogs'>): Picture[] {
  const files = new Set(imagesOf(registry).map(({ image }) => image.file));
  return [...files].flatMap((file) => [
    ...picturesOf({ file }, 'avif'),
    ...picturesOf({ file }, 'webp'),
    fallbackPictureOf({ file }),
    socialPictureOf({ file }),
  ]);
}
