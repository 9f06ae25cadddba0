import { z } from 'zod';
import { PHONE_PATTERN } from '../../fields/kinds/phone.ts';
import { describeDateFault } from '../../site/corrections/corrections.ts';

export const createMaxLengthRule = (max: number) =>
  [max, `is longer than ${max} characters. Shorten it`] as const;

/** One line of prose: no line breaks, no spaces at either end, 1 to `max` characters. */
export const line = (max: number) =>
  z
    .string()
    .min(1, 'is empty. Use one line of text')
    .max(...createMaxLengthRule(max))
    .regex(
      /^\S(?:[^\r\n]*\S)?$/,
      'has a line break, or a space at the beginning or end. Use one trimmed line',
    );

/** Markdown prose of one or more paragraphs. */
export const prose = z.string().min(1, 'is empty. Write a paragraph, or omit the key').max(40_000);

/**
 * Rejects a name that every JavaScript object inherits, such as “constructor”. Validation aborts,
 * so that no later rule looks the name up.
 */
export const safeKey = z.refine<string>((name) => !(name in {}), {
  error: 'is a reserved name in JavaScript. Choose another',
  abort: true,
});

/** Key of a record, used in URLs and file names. */
export const key = z
  .string()
  .max(...createMaxLengthRule(100))
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'is not a valid name. Use lowercase letters, digits and single hyphens',
  )
  .check(safeKey);

/** A key that is also the name of an agent skill, which may have at most 64 characters. */
export const skillKey = key.max(...createMaxLengthRule(64));

/** Site-relative path without a trailing slash or dot segments. */
export const path = z
  .string()
  .max(...createMaxLengthRule(200))
  .regex(
    /^\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*)?$/,
    'is not a site path. Begin with a slash and end without one, as in /hello/world',
  );

/** A route of the site; segments in brackets are parameters, as in `/shop/[id]`. */
export const routePath = z
  .string()
  .max(...createMaxLengthRule(200))
  .regex(
    /^\/(?:(?:[A-Za-z0-9._~-]+|\[[a-z]+\])(?:\/(?:[A-Za-z0-9._~-]+|\[[a-z]+\]))*)?$/,
    'is not a route. Begin with a slash and write parameters in brackets, as in /items/[id]',
  );

/** Route of item pages: one parameter, which is the item’s ID. */
export const itemRoute = routePath.refine(
  (route) => route.split('[').length === 2,
  'must have exactly one parameter. Use one segment in brackets, as in /items/[id]',
);

/** An amount of money. */
export const dollars = z
  .number()
  .max(1_000_000)
  .refine((amount) => Number(amount.toFixed(2)) === amount, {
    error: 'has a fraction of a cent. Use dollars and cents, such as 45 or 12.5',
  });

export const integer = (min: number, max: number) => z.int().min(min).max(max);

/** Calendar date, YYYY-MM-DD (ISO 8601). */
export const calendarDate = z.iso.date({ error: ({ input }) => describeDateFault(input) });

/** A ZIP code, or its first digits. */
export const zipPrefix = z
  .string()
  .regex(/^\d{3,5}$/, 'is not the beginning of a ZIP code. Use three to five digits in quotes');

export const phoneNumber = z
  .string()
  .regex(
    new RegExp(PHONE_PATTERN),
    'is not a phone number with its area code. Use the form (727) 555-0142, or +1 727 555 0142',
  );

export const emailAddress = z.email(
  'is not an email address. Use one address, such as desk@example.com',
);

/** Reports a fault that a schema alone cannot detect. */
export const addFault = (context: z.RefinementCtx, path: PropertyKey[], message: string): void =>
  context.addIssue({ code: 'custom', path, message });
