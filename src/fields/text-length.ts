import * as v from 'valibot';
import { locale } from '../language.ts';
import { fill } from '../text/fill.ts';
import { fieldInstructions } from '../text/index.ts';

/**
 * Matches text with at least one character that is not white space. It is published in JSON
 * Schemas, so it must work in the regular expressions of any language; `createReadableCheck` is
 * stricter.
 */
export const FILLED_PATTERN = '\\S';

/** Matches text with at least one letter or digit, in any script. */
export const NAME_PATTERN = String.raw`[\p{L}\p{N}]`;

/** Counts Unicode code points, as JSON Schema does. */
export const countCodePoints = (text: string): number => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};

/** Form error for text that exceeds the maximum length. */
export const createTooLongMessage = (maxLength: number, count: number): string =>
  fill(fieldInstructions.tooLong, {
    max: maxLength.toLocaleString(locale),
    count: count.toLocaleString(locale),
  });

/**
 * Accepts at most `max` code points. The error for longer text is `rule`; in a form, it also gives
 * the length of the text.
 */
export const createTextLengthCheck = (max: number, rule: string) =>
  v.rawCheck<string>(({ dataset, addIssue }) => {
    const count = dataset.typed ? countCodePoints(dataset.value) : 0;
    if (count > max) addIssue({ message: rule, expected: createTooLongMessage(max, count) });
  });

/**
 * Accepts at most `max` code points, as JSON Schema does; valibot's `maxLength` counts UTF-16
 * units.
 */
export const createMaxLengthCheck = (max: number) =>
  v.check<string, string>(
    Object.assign(
      (text: string) =>
        text.length <= max || (text.length <= 2 * max && countCodePoints(text) <= max),
      { maxLength: max },
    ),
    'too long',
  );

/**
 * Rejects text with nothing to read: only white space, control characters, or the replacement
 * characters that normalization puts in their place.
 */
export const createReadableCheck = () =>
  v.check((text: string) => /[^\s\p{Cc}\p{Cf}\ufffd]/u.test(text));

/**
 * Schema for text of 1 to `max` code points, at least one of them readable; `limit` checks the
 * maximum.
 */
export const createFilledTextSchema = (
  max: number,
  limit: v.GenericValidation<string> = createMaxLengthCheck(max),
) => v.pipe(v.string(), v.regex(/\S/u), createReadableCheck(), limit);
