import * as v from 'valibot';
import { oneLine } from './normalize-text.ts';
import { jsonObject } from './validate.ts';

/** Length in Unicode code points, as JSON Schema counts it. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};

/** At most `max` code points; JSON Schema’s maxLength, where valibot’s own counts UTF-16 units. */
export const atMost = (max: number) =>
  v.check<string, string>(
    Object.assign(
      (text: string) => text.length <= max || (text.length <= 2 * max && lengthOf(text) <= max),
      { maxLength: max },
    ),
    'too long',
  );

/** One or more code points, at most `max`, not only white space. */
export const filledText = (max: number) => v.pipe(v.string(), v.regex(/\S/u), atMost(max));

/** One line of text: `filledText` whose line ends become spaces. */
export const filledLine = (max: number) => v.pipe(filledText(max), v.transform(oneLine));

/** Whether a JSON value nests deeper than `max`; looks no deeper than that. */
export const deeperThan = (value: unknown, max: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (max === 0 || Object.values(value).some((inner) => deeperThan(inner, max - 1)));

/** Levels that a free object may nest. */
const MAX_DEPTH = 16;

/** A free JSON object of at most `maxBytes` as UTF-8 JSON text. */
export const freeObject = (maxBytes: number) =>
  v.pipe(
    jsonObject,
    v.check(
      (value) =>
        !deeperThan(value, MAX_DEPTH) && Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
    ),
  );
