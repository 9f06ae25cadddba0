import * as v from 'valibot';
import { locale } from '../language.ts';
import { fill } from '../text/fill.ts';
import { fieldInstructions } from '../text/index.ts';

/**
 * Matches text with at least one character that is not white space. Published in JSON Schemas, so it
 * must be read by every language; `createReadableCheck` rejects more.
 */
export const FILLED_PATTERN = '\\S';

/** Matches text with at least one letter or digit, in any script. */
export const NAME_PATTERN = String.raw`[\p{L}\p{N}]`;

/** Length in Unicode code points, as JSON Schema counts it. */
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

/** At most `max` code points; longer text gets `rule`, and in a form also its length. */
export const createTextLengthCheck = (max: number, rule: string) =>
  v.rawCheck<string>(({ dataset, addIssue }) => {
    const count = dataset.typed ? countCodePoints(dataset.value) : 0;
    if (count > max) addIssue({ message: rule, expected: createTooLongMessage(max, count) });
  });

/** At most `max` code points, as in JSON Schema; valibot's own `maxLength` counts UTF-16 units. */
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
 * Text with something to read: not only white space, control characters and the replacement
 * characters that stand for them after normalization.
 */
export const createReadableCheck = () =>
  v.check((text: string) => /[^\s\p{Cc}\p{Cf}\ufffd]/u.test(text));

/** One to `max` code points, with at least one that can be read; `limit` checks the maximum. */
export const createFilledTextSchema = (
  max: number,
  limit: v.GenericValidation<string> = createMaxLengthCheck(max),
) => v.pipe(v.string(), v.regex(/\S/u), createReadableCheck(), limit);
