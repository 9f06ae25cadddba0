import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from '../build/arena.ts';
import { etagForCoding } from './conditions.ts';
import { chooseCoding } from './negotiate.ts';

/** Minimum size of a compressed response, in bytes. Smaller responses fit into one packet. */
const MIN_BYTES = 1024;
/** Brotli quality for dynamic responses: 5 is as fast as gzip and smaller. */
const BROTLI_QUALITY = 5;

const COMPRESSIBLE_TYPE_PATTERN = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]+\+)?json)/;

const compressBr = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const compressors: Readonly<
  Record<Exclude<Coding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array>>
> = {
  br: (bytes) =>
    compressBr(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => compressGzip(bytes),
};

/**
 * Whether responses with a status have no body. Reading their headers would copy them for nothing.
 */
const hasNoBody = (status: number): boolean => status === 204 || (status >= 300 && status < 400);

/**
 * Compresses a response as the request's Accept-Encoding allows (RFC 9110 section 12.5.3).
 * hono/compress does not support Brotli, and compresses even tiny responses.
 */
export async function compress(response: Response, request: Request): Promise<Response> {
  const { status } = response;
  if (hasNoBody(status)) return response;
  const { headers } = response;
  if (
    Number(headers.get('content-length') ?? MIN_BYTES) < MIN_BYTES ||
    headers.has('content-encoding') ||
    !COMPRESSIBLE_TYPE_PATTERN.test(headers.get('content-type') ?? '')
  )
    return response;
  const vary = headers.get('vary');
  headers.set('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding');
  const acceptEncoding = request.headers.get('accept-encoding') ?? undefined;
  const coding = chooseCoding(acceptEncoding, () => true);
  // The response to a HEAD request may have no body, and therefore no length.
  if (coding === 'identity' || !response.body) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const shouldCompress = bytes.length >= MIN_BYTES;
  const body = shouldCompress ? await compressors[coding](bytes) : bytes;
  const etag = headers.get('etag');
  if (shouldCompress) {
    headers.set('content-encoding', coding);
    if (etag) headers.set('etag', etagForCoding(etag, coding));
  }
  headers.set('content-length', String(body.length));
  return new Response(new Uint8Array(body), { status, headers });
}
