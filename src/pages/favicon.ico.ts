import type { APIRoute } from 'astro';
import { drawAppIcon } from '../components/icons/app-icons.ts';

export const prerender = true;

/** Icon sizes for tabs, bookmarks and desktops, in pixels. */
const SIZES = [16, 32, 48];

/** Size in bytes of an ICO file header and of each image entry. */
const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;

/**
 * Images as one ICO file, which can contain PNGs since Windows Vista (learn.microsoft.com, “The
 * format of icon resources”).
 */
function encodeIco(images: readonly { size: number; png: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES + images.length * ENTRY_BYTES));
  head.setUint16(2, 1, true);
  head.setUint16(4, images.length, true);
  let offset = head.byteLength;
  images.forEach(({ size, png }, index) => {
    const entryOffset = HEADER_BYTES + index * ENTRY_BYTES;
    head.setUint8(entryOffset, size);
    head.setUint8(entryOffset + 1, size);
    head.setUint16(entryOffset + 4, 1, true);
    head.setUint16(entryOffset + 6, 32, true);
    head.setUint32(entryOffset + 8, png.length, true);
    head.setUint32(entryOffset + 12, offset, true);
    offset += png.length;
  });
  const file = new Uint8Array(offset);
  file.set(new Uint8Array(head.buffer));
  let end = head.byteLength;
  for (const { png } of images) {
    file.set(png, end);
    end += png.length;
  }
  return file;
}

/** The network’s mark for clients without SVG support. */
export const GET: APIRoute = () =>
  new Response(
    encodeIco(SIZES.map((size) => ({ size, png: drawAppIcon({ size, purpose: 'any' }) }))),
    {
      headers: { 'content-type': 'image/vnd.microsoft.icon' },
    },
  );
