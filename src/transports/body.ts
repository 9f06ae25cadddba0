import { Problem } from '../operations/index.ts';
import { deeperThan } from '../operations/texts.ts';

/** Largest body of most endpoints in bytes, contract.md “Errors”. */
export const BODY_BYTES = 64 * 1024;

const tooLarge = (most: number) => new Problem('too_large', `A body is at most ${most} bytes here. Send less.`, { headers: { connection: 'close' } });

/** A body that broke off is a fault of its connection, not of ours, whatever the platform throws for it. */
export function brokenOff(): never {
  throw new Problem('malformed_body', 'The body ended before it was whole. Send all of it.');
}

/** A request however it came: from the web platform, or from node:http without the cost of it. */
export interface Incoming {
  method: string;
  /** A header by its lower-case name; null where it was not sent. */
  header(name: string): string | null;
  /** The bytes of the body, once. @throws {Problem} too_large, or malformed_body where it broke off */
  bytes(most: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** A request of the web platform. */
export const incomingOf = (request: Request): Incoming => ({
  method: request.method,
  header: (name) => request.headers.get(name),
  bytes: (most) => readBytes(request, most),
});

/**
 * The bytes of a body; reading stops at the first byte too many.
 * @throws {Problem} too_large, or malformed_body where it broke off
 */
export async function readBytes(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length')) > most) throw tooLarge(most);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  const next = () => reader?.read().catch(brokenOff);
  for (let part = await next(); part && !part.done; part = await next()) {
    length += part.value.byteLength;
    if (length > most) {
      await reader!.cancel();
      throw tooLarge(most);
    }
    chunks.push(part.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** What a body claims to be; parameters such as charset are left off. */
export type BodyKind = 'json' | 'urlencoded' | 'multipart';

/**
 * The kind of a request’s body.
 * @throws {Problem} unsupported_media_type
 */
export function bodyKind({ header }: Pick<Incoming, 'header'>, forms: boolean): BodyKind {
  const [type = '', ...parameters] = (header('content-type') ?? '').toLowerCase().split(';').map((part) => part.trim());
  const encoding = header('content-encoding')?.trim().toLowerCase();
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length).replaceAll('"', '');
  const plain = (!encoding || encoding === 'identity') && (charset === undefined || charset === 'utf-8' || charset === 'utf8');
  if (plain && /^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type)) return 'json';
  if (plain && forms && type === 'application/x-www-form-urlencoded') return 'urlencoded';
  if (plain && forms && type === 'multipart/form-data') return 'multipart';
  const taken = forms ? 'application/json, application/x-www-form-urlencoded or multipart/form-data' : 'application/json';
  throw new Problem('unsupported_media_type', `Send the body as ${taken}, in UTF-8 and uncompressed.`, { headers: { accept: taken.replace(' or ', ', ') } });
}

/** Levels that a body may nest; deeper ones only cost time. */
const DEEPEST = 64;

/**
 * The JSON value that bytes stand for.
 * @throws {Problem} malformed_body
 */
export function readJson(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Problem('malformed_body', 'The body is not JSON in UTF-8. Send one JSON value.');
  }
  if (deeperThan(value, DEEPEST)) throw new Problem('malformed_body', `The body nests more than ${DEEPEST} levels deep. Send a flatter one.`);
  return value;
}
