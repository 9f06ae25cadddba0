import { isUtf8 } from 'node:buffer';
import { formatPointer } from '../operation/json-pointer.ts';
import { Problem } from '../operation/problem.ts';
import { exceedsDepth } from '../operation/text-schemas.ts';

export const MAX_BODY_BYTES = 64 * 1024;

const createContentTooLargeProblem = (maxBytes: number) =>
  new Problem('too_large', `The body may have at most ${maxBytes} bytes. Send a smaller body.`, {
    headers: { connection: 'close' },
  });

/** An incomplete body is a connection error, not an internal error. */
function throwIncompleteBody(): never {
  throw new Problem('malformed_body', 'The body is incomplete. Send the complete body.');
}

/** Reads a body up to the limit. @throws {Problem} too_large, or malformed_body if incomplete */
export async function readBytes(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const declaredLength = request.headers.get('content-length');
  if (declaredLength !== null) {
    if (Number(declaredLength) > maxBytes) throw createContentTooLargeProblem(maxBytes);
    // The server passes on at most the declared number of bytes, so the body can be read in one
    // step, which is faster.
    return new Uint8Array(await request.arrayBuffer().catch(throwIncompleteBody));
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  const readChunk = () => reader?.read().catch(throwIncompleteBody);
  for (let part = await readChunk(); part && !part.done; part = await readChunk()) {
    length += part.value.byteLength;
    if (length > maxBytes) {
      await reader?.cancel();
      throw createContentTooLargeProblem(maxBytes);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks, length);
}

export const isForm = ({ headers }: Request): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    headers.get('content-type') ?? '',
  );

/** The media type of a body, without parameters such as charset. */
export type BodyKind = 'json' | 'urlencoded' | 'multipart';

/** Determines the kind of a request body. @throws {Problem} unsupported_media_type */
export function detectBodyKind(headers: Headers, acceptsForms: boolean): BodyKind {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const encoding = headers.get('content-encoding')?.trim().toLowerCase();
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  const isUncompressedUtf8 =
    (!encoding || encoding === 'identity') &&
    (charset === undefined || charset === 'utf-8' || charset === 'utf8');
  if (isUncompressedUtf8 && /^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type)) return 'json';
  if (isUncompressedUtf8 && acceptsForms && type === 'application/x-www-form-urlencoded')
    return 'urlencoded';
  if (isUncompressedUtf8 && acceptsForms && type === 'multipart/form-data') return 'multipart';
  const accepted = acceptsForms
    ? 'application/json, application/x-www-form-urlencoded or multipart/form-data'
    : 'application/json';
  throw new Problem(
    'unsupported_media_type',
    `Send the body as ${accepted}, in UTF-8 and uncompressed.`,
    { headers: { accept: accepted.replace(' or ', ', ') } },
  );
}

/** Maximum nesting depth of a body, which limits the time for validation. */
const MAX_DEPTH = 64;

/** The path to the first number that is too large for a double; undefined if there is none. */
function findInfiniteNumber(value: unknown): string[] | undefined {
  if (value === Infinity || value === -Infinity) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const path = findInfiniteNumber(member);
    if (path) return [name, ...path];
  }
  return undefined;
}

/**
 * Checks the numbers in parsed JSON.
 * @throws {Problem} invalid_input for a number that is too large for a double
 */
export function checkNumbers(value: unknown): void {
  const path = findInfiniteNumber(value);
  if (!path) return;
  const pointer = formatPointer(...path);
  const message = 'Send a number from -1.7e308 to 1.7e308.';
  throw new Problem('invalid_input', `The number at ${pointer} is too large. ${message}`, {
    errors: [{ pointer, message }],
  });
}

/** A sentence that says where JSON is invalid; empty if the engine names no position. */
function describeSyntaxError(thrown: unknown): string {
  // The engine's message quotes the body, which may be personal, so repeat only the position.
  const place = / \((line \d+) (column \d+)\)$/.exec(String(thrown));
  if (place) return ` See ${place[1]}, ${place[2]}.`;
  return String(thrown).endsWith('Unexpected end of JSON input') ? ' It ends too early.' : '';
}

const COLON_PATTERN = /\s*:/y;

/** Index after the string that starts at `start` in valid JSON text. */
function findStringEnd(json: string, start: number): number {
  let index = start + 1;
  while (json[index] !== '"') index += json[index] === '\\' ? 2 : 1;
  return index + 1;
}

/**
 * Line and column, counted from 1, of the first name that occurs twice in one object of valid JSON
 * text.
 */
function locateRepeatedName(json: string): { line: number; column: number } | undefined {
  // The names of the open objects; undefined for an open array.
  const open: (Set<string> | undefined)[] = [];
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(undefined);
    else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = findStringEnd(json, index);
      const names = open.at(-1);
      COLON_PATTERN.lastIndex = end;
      if (names && COLON_PATTERN.test(json)) {
        const name = JSON.parse(json.slice(index, end)) as string;
        if (names.has(name)) {
          const lines = json.slice(0, index).split('\n');
          return { line: lines.length, column: lines.at(-1)!.length + 1 };
        }
        names.add(name);
      }
      index = end - 1;
    }
  }
  return undefined;
}

/**
 * Parses bytes as JSON. A number that is too large for a double becomes infinite, so that the rest
 * of a message can still be read: see {@link checkNumbers}.
 * @throws {Problem} malformed_body
 */
export function parseJsonWithAnyNumber(bytes: Uint8Array): unknown {
  if (!bytes.length) throw new Problem('malformed_body', 'The body is empty. Send one JSON value.');
  if (!isUtf8(bytes))
    throw new Problem('malformed_body', 'The body is not UTF-8. Send one JSON value in UTF-8.');
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new Problem(
      'malformed_body',
      `The body is not valid JSON.${describeSyntaxError(thrown)} Send one JSON value.`,
    );
  }
  if (exceedsDepth(value, MAX_DEPTH))
    throw new Problem(
      'malformed_body',
      `The body is nested more than ${MAX_DEPTH} levels deep. Send a flatter body.`,
    );
  // For a repeated name, JSON.parse keeps the last value, other parsers the first (RFC 7493,
  // section 2.3).
  const repeatedName = locateRepeatedName(text);
  if (repeatedName)
    throw new Problem(
      'malformed_body',
      `An object in the body has the same name twice: see line ${repeatedName.line}, column ${repeatedName.column}. Send each name only once per object.`,
    );
  return value;
}

/**
 * Parses bytes as JSON.
 * @throws {Problem} malformed_body; invalid_input for a number that is too large for a double
 */
export function parseJson(bytes: Uint8Array): unknown {
  const value = parseJsonWithAnyNumber(bytes);
  checkNumbers(value);
  return value;
}
