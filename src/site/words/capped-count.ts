import { locale } from '../../language.ts';
import { fill } from '../../text/fill.ts';
import { inbox } from '../../text/index.ts';

/**
 * Formats a number for people, such as “1,200”; above the maximum that is counted, “more than
 * 10,000”.
 */
export const formatCappedCount = (count: number, maximum: number): string =>
  count > maximum
    ? fill(inbox.moreThan, { count: maximum.toLocaleString(locale) })
    : count.toLocaleString(locale);
