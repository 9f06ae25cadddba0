import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The part of sharp, which Astro brings, that tests use. */
interface Sharp {
  (
    of: Uint8Array | { create: { width: number; height: number; channels: 3; background: string } },
  ): {
    toFormat(format: 'jpeg' | 'png' | 'webp' | 'avif'): { toBuffer(): Promise<Buffer> };
    metadata(): Promise<{ format: string; width: number; height: number; compression?: string }>;
  };
}

const sharp = createRequire(fileURLToPath(import.meta.resolve('astro/package.json')))(
  'sharp',
) as Sharp;

/** The bytes of a picture of one color. */
export const testImage = (
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'avif' = 'jpeg',
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#44886c' } })
    .toFormat(format)
    .toBuffer();

/** What a picture is, by its bytes; `heif` is what AVIF is in. */
export async function describeImage(
  bytes: Uint8Array,
): Promise<{ format: string; width: number; height: number }> {
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
}
