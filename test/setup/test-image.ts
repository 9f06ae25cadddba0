import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The part of sharp’s API that tests use. Astro installs it. */
interface Sharp {
  (
    input:
      Uint8Array | { create: { width: number; height: number; channels: 3; background: string } },
  ): {
    toFormat(format: 'jpeg' | 'png' | 'webp' | 'avif'): { toBuffer(): Promise<Buffer> };
    metadata(): Promise<{ format: string; width: number; height: number; compression?: string }>;
  };
}

const sharp = createRequire(fileURLToPath(import.meta.resolve('astro/package.json')))(
  'sharp',
) as Sharp;

/** An encoded image of a single color. */
export const createTestImage = (
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'avif' = 'jpeg',
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#44886c' } })
    .toFormat(format)
    .toBuffer();

/** Image properties read from the encoded bytes; AVIF is reported as `heif`. */
export async function describeImage(
  bytes: Uint8Array,
): Promise<{ format: string; width: number; height: number }> {
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
}
