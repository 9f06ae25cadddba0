import type { Image } from '../registry/image.ts';
import type { Registry } from './registry.ts';

/** A file that pages show of an image: cropped to width and height in pixels. */
export interface Picture {
  /** Site-relative path. */
  path: string;
  file: string;
  width: number;
  height: number;
  format: 'avif' | 'webp' | 'jpeg';
}

/** Widths of a picture in pixels, for phones and for large or fine screens. */
const WIDTHS = [480, 960] as const;
/** Smallest size of an image in pixels; the picture for sharing is as wide. */
export const MIN_SIZE = { width: 1200, height: 900 } as const;
const SHARED = { width: 1200, height: 630 } as const;

const extensions = { avif: 'avif', webp: 'webp', jpeg: 'jpg' } as const;

function picture(
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

/** The pictures of an image in one format, the smallest first; all are 4:3. */
export const picturesOf = (image: Pick<Image, 'file'>, format: Picture['format']): Picture[] =>
  WIDTHS.map((width) => picture(image, width, (width * 3) / 4, format));

/** The picture for programs that take one size, such as browsers without newer formats. */
export const plainPicture = (image: Pick<Image, 'file'>): Picture =>
  picturesOf(image, 'jpeg').at(-1)!;

/** The picture shown where a page is shared. */
export const sharedPicture = (image: Pick<Image, 'file'>): Picture =>
  picture(image, SHARED.width, SHARED.height, 'jpeg');

/** Every image that a record names, with the record and the path to it. */
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

/** Every picture of a network, each once. */
export function allPictures(registry: Pick<Registry, 'subsites' | 'catalogs'>): Picture[] {
  const files = new Set(imagesOf(registry).map(({ image }) => image.file));
  return [...files].flatMap((file) => [
    ...picturesOf({ file }, 'avif'),
    ...picturesOf({ file }, 'webp'),
    plainPicture({ file }),
    sharedPicture({ file }),
  ]);
}
