import * as v from 'valibot';

// Line feeds and tabs are text; the other control characters and halves of surrogate pairs are not, and some stores cut a text at them.
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Text that every store and reader takes: what cannot be printed becomes U+FFFD. */
export const printable = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, '\uFFFD');

/** Length in Unicode code points, as JSON Schema counts it. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};

/** At most `max` code points; JSON Schema’s maxLength, where valibot’s own counts UTF-16 units. */
export const atMost = (max: number) =>
  v.check<string, string>(Object.assign((text: string) => text.length <= max || (text.length <= 2 * max && lengthOf(text) <= max), { maxLength: max }), 'too long');

/** One or more code points, at most `max`, not only white space. */
export const filledText = (max: number) => v.pipe(v.string(), v.regex(/\S/u), atMost(max), v.transform(printable));

/** Any JSON value with its texts made printable. */
export function printableJson(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map(printableJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [printable(key), printableJson(inner)]));
}

/** Whether a JSON value nests deeper than `max`; looks no deeper than that. */
export const deeperThan = (value: unknown, max: number): boolean =>
  typeof value === 'object' && value !== null && (max === 0 || Object.values(value).some((inner) => deeperThan(inner, max - 1)));

/** Levels that a free object may nest. */
const MAX_DEPTH = 16;

/** A free JSON object of at most `maxBytes` as UTF-8 JSON text. */
export const freeObject = (maxBytes: number) =>
  v.pipe(
    v.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
    v.check((value) => !deeperThan(value, MAX_DEPTH) && Buffer.byteLength(JSON.stringify(value)) <= maxBytes),
    v.transform((value) => printableJson(value) as Record<string, unknown>),
  );
