import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import type { Coding } from '../build/arena.ts';
import { chooseCoding } from './negotiate.ts';

/**
 * Bytes from which compressing an answer is worth its time; a smaller one fits into one packet as
 * it is.
 */
const MIN_BYTES = 1024;
/** Quality of Brotli for what is compressed once: at 5 it is as quick as gzip and smaller. */
const QUALITY = 5;

const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]+\+)?json)/;

const compressBr = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const coders: Readonly<
  Record<Exclude<Coding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array>>
> = {
  br: (bytes) => compressBr(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
  gzip: (bytes) => compressGzip(bytes),
};

/**
 * Compresses answers as the client accepts it (RFC 9110 section 12.5.3); hono/compress knows no
 * Brotli and compresses the smallest.
 */
export const compress: MiddlewareHandler = async (c, next) => {
  await next();
  const accepted = c.req.header('accept-encoding');
  const { headers, status } = c.res;
  if (
    Number(headers.get('content-length') ?? MIN_BYTES) < MIN_BYTES ||
    headers.has('content-encoding') ||
    !COMPRESSIBLE.test(headers.get('content-type') ?? '')
  )
    return;
  const vary = headers.get('vary');
  headers.set('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding');
  const coding = chooseCoding(accepted, () => true);
  if (coding === 'identity' || c.req.method === 'HEAD') return;
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  const compressed = bytes.length >= MIN_BYTES;
  const body = compressed ? await coders[coding](bytes) : bytes;
  if (compressed) headers.set('content-encoding', coding);
  headers.set('content-length', String(body.length));
  // Hono copies the headers of the response before into the one that replaces it, those that no
  // longer fit too.
  c.res = undefined;
  c.res = new Response(new Uint8Array(body), { status, headers });
};
