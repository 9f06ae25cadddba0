import { z } from 'zod';

/** One line of prose: no line breaks, no spaces at either end, 1 to `max` characters. */
export const line = (max: number) =>
  z
    .string()
    .min(1, 'is empty. Write one line of text')
    .max(max, `is longer than ${max} characters. Shorten it`)
    .regex(/^\S(?:[^\r\n]*\S)?$/, 'has a line break or a space at an end. Write one trimmed line');

/** Markdown prose of one paragraph or more. */
export const prose = z.string().min(1, 'is empty. Write a paragraph or leave the key out').max(40_000);

/** Short key of a record: lower case letters, digits and single hyphens. */
export const key = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'is not a key. Use lower case letters, digits and single hyphens');

/** Site-relative path: a leading slash, unreserved characters, no trailing slash, no dot segments. */
export const path = z
  .string()
  .regex(
    /^\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*)?$/,
    'is not a site path. Begin with one slash and end without one, for example /hello/world',
  );

/** Route of the site; bracketed segments are parameters, for example `/shop/[id]`. */
export const routePath = z
  .string()
  .regex(
    /^\/(?:(?:[A-Za-z0-9._~-]+|\[[a-z]+\])(?:\/(?:[A-Za-z0-9._~-]+|\[[a-z]+\]))*)?$/,
    'is not a route. Begin with one slash; write parameters in brackets, for example /items/[id]',
  );

/** Calendar date, YYYY-MM-DD (ISO 8601). */
export const calendarDate = z.iso.date('is not a calendar date. Write YYYY-MM-DD');
