import * as v from 'valibot';
import { createFilledTextSchema } from '../fields/text-length.ts';
import { collapseToLine } from './normalize-text.ts';
import { jsonObject } from './validate.ts';

/** One line of text: `createFilledTextSchema` with line endings replaced by spaces. */
export const createFilledLineSchema = (max: number) =>
  v.pipe(createFilledTextSchema(max), v.transform(collapseToLine));

/** A time in ISO 8601. */
export const timestampSchema = v.pipe(v.string(), v.isoTimestamp());

/** Whether a JSON value is nested more than `max` levels deep; stops at that depth. */
export const exceedsDepth = (value: unknown, max: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (max === 0 || Object.values(value).some((inner) => exceedsDepth(inner, max - 1)));

/** Maximum nesting depth of a free-form object. */
const MAX_DEPTH = 16;

/** A free-form JSON object of at most `maxBytes` as UTF-8 JSON text. */
export const createFreeObjectSchema = (maxBytes: number) =>
  v.pipe(
    jsonObject,
    v.check(
      (value) =>
        !exceedsDepth(value, MAX_DEPTH) && Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
    ),
  );
