import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { notOfferedCodes } from '../search/not-offered.ts';
import { withExpectation, createInputProblem } from '../operation/validate.ts';

/** Default and maximum number of entries on a page. */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 50;
/**
 * Maximum total size in bytes of the entries in a response, as structured content and as text; the
 * whole response is under 10 KB.
 */
export const MAX_ENTRY_BYTES = 9_000;

const CURSOR_RULE =
  'Send the nextCursor of the last response with the other arguments unchanged, or leave it out to start at the first page.';

/** A decoded cursor: the start of a page and the digest of the other arguments. */
const decodeCursor = (text: string) =>
  /^([1-9]\d{0,8})\.([\w-]{8})$/.exec(Buffer.from(text, 'base64url').toString('latin1'))?.slice(1);

const cursor = v.optional(
  v.pipe(
    v.string(),
    v.check((text) => decodeCursor(text) !== undefined),
    withExpectation(CURSOR_RULE),
    v.description('Next page'),
  ),
);

/** Schema for a maximum number of results. */
export const createLimitSchema = (max: number, description: string) =>
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(max),
    withExpectation(`Send a whole number from 1 to ${max}.`),
    v.description(description),
  );

export const pageInput = {
  limit: v.optional(createLimitSchema(MAX_LIMIT, 'Per page, up to 9 KB'), DEFAULT_LIMIT),
  cursor,
};

/** A short list needs no limit argument, but may still be too large for one page. */
export const createPageInput = (length: number): v.ObjectEntries =>
  length > DEFAULT_LIMIT ? pageInput : { cursor };

/** Schemas for list entries, with the members that the next call needs. */
export const entrySchemas = {
  capability: { id: v.string(), title: v.string(), pricing: v.string() },
  subsite: { name: v.string() },
  item: { id: v.string() },
} as const satisfies Record<string, v.ObjectEntries>;

/**
 * Output schema of a paged tool: entries under `name`, their `total` number, and `nextCursor` if
 * another page follows. Members in `first` come first, those in `last` last.
 */
export const createPageOutput = (
  name: string,
  entry: v.ObjectEntries,
  { first = {}, last = {} }: { first?: v.ObjectEntries; last?: v.ObjectEntries } = {},
): v.GenericSchema<Record<string, unknown>, Record<string, unknown>> =>
  v.looseObject({ ...first, [name]: v.array(v.looseObject(entry)), ...last });

/**
 * The number of matching entries on all pages. Other tools do not declare it, to keep the tool list
 * short.
 */
export const totalOutput = { total: v.number() };

/** Members that come first in the output of a tool that answers a need. */
export const needOutput = {
  notOffered: v.optional(v.string()),
  notOfferedCode: v.optional(v.picklist(notOfferedCodes)),
};

export interface PageRequest {
  limit?: number;
  cursor?: string | undefined;
}

const digestArguments = (args: unknown) =>
  createHash('sha256').update(JSON.stringify(args)).digest('base64url').slice(0, 8);

/** Bytes that a value takes in a response, as JSON and again as JSON inside a string. */
export function measureResponse(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

const encodeCursor = (start: number, digest: string) =>
  Buffer.from(`${start}.${digest}`, 'latin1').toString('base64url');

/** The page's first index; undefined for a cursor that was not issued with these arguments. */
function parseCursorStart(cursor: string, digest: string): number | undefined {
  const [start, argumentsDigest] = decodeCursor(cursor) ?? [];
  return argumentsDigest === digest ? Number(start) : undefined;
}

/**
 * One page of a list: at most `limit` entries and no more than fit in a response, but at least one.
 * The cursor is opaque and valid only if the other arguments are unchanged. `first` has the members
 * of the response that come before the list. @throws {Problem} invalid_input for an invalid cursor
 */
export function pageOf<Entry, View>(
  entries: readonly Entry[],
  { limit = DEFAULT_LIMIT, cursor, ...others }: PageRequest,
  view: (entry: Entry) => View,
  first: object = {},
): { page: View[]; total: number; nextCursor?: string } {
  const digest = digestArguments(others);
  const start = cursor === undefined ? 0 : parseCursorStart(cursor, digest);
  if (start === undefined || (start > 0 && start >= entries.length))
    throw createInputProblem('/cursor', CURSOR_RULE);
  const page: View[] = [];
  let bytes = measureResponse(first);
  for (const entry of entries.slice(start, start + limit)) {
    const shown = view(entry);
    bytes += measureResponse(shown);
    if (page.length && bytes > MAX_ENTRY_BYTES) break;
    page.push(shown);
  }
  const next = start + page.length;
  return {
    page,
    total: entries.length,
    ...(next < entries.length && { nextCursor: encodeCursor(next, digest) }),
  };
}
