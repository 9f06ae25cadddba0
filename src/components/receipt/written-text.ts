import { OFFERING_TEXTS } from '../forms/offering-rows.ts';

/** Text that a person entered, by input name. */
type EnteredValues = Readonly<Record<string, string | undefined>>;

/**
 * The text that a person entered in an input, or the offering that they entered in a row, such as
 * “Bath and brush, $45 (small dogs)”. Empty if there is none.
 */
export function writtenTextOf(values: EnteredValues, inputOrRow: string): string {
  const read = (input: string) => values[input]?.trim() ?? '';
  const [name, description, price] = OFFERING_TEXTS.map((part) => read(`${inputOrRow}.${part}`));
  if (!name) return read(inputOrRow);
  return [
    name,
    price && `, $${price.replace('$', '')}`,
    price && values[`${inputOrRow}.kind`] === 'monthly' && ' a month',
    description && ` (${description})`,
  ]
    .filter(Boolean)
    .join('');
}
