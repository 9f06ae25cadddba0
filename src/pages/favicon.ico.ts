import type { APIRoute } from 'astro';
import { drawAppIcon } from '../components/icons/app-icons.ts';

export const prerender = true;

/** Icon sizes for tabs, bookmarks and desktops, in pixels. */
const SIZES = [16, 32, 48];

/** Size in bytes of an ICO file header and of each image entry. */
const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;

/**
 * Combines images into one ICO file, which Windows has allowed to contain PNGs since Vista
 * (learn.microsoft.com, “The format of icon resources”).
 */
function encodeIco(images: readonly { size: number; png: Uint8Array }[]): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(HEADER_BYTES + images.length * ENTRY_BYTES);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of images.entries()) {
    const entryOffset = HEADER_BYTES + index * ENTRY_BYTES;
    head.writeUInt8(size, entryOffset);
    head.writeUInt8(size, entryOffset + 1);
    head.writeUInt16LE(1, entryOffset + 4);
    head.writeUInt16LE(32, entryOffset + 6);
    head.writeUInt32LE(png.length, entryOffset + 8);
    head.writeUInt32LE(offset, entryOffset + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}

/** The network’s mark for clients without SVG support. */
export const GET: APIRoute = () =>
  new Response(
    encodeIco(SIZES.map((size) => ({ size, png: drawAppIcon({ size, purpose: 'any' }) }))),
    {
      headers: { 'content-type': 'image/vnd.microsoft.icon' },
    },
  );
