import { formatOffering } from '../../site/words/words.ts';

/** Text that a person entered, by input name. */
type EnteredValues = Readonly<Record<string, string | undefined>>;

/**
 * The text that a person entered in an input, or the offering that they entered in a row, such as
 * “Bath and brush, $45 (small dogs)”. Empty if there is none.
 */
export function writtenTextOf(values: EnteredValues, inputOrRow: string): string {
  const read = (input: string) => values[input]?.trim() ?? '';
  const name = read(`${inputOrRow}.name`);
  if (!name) return read(inputOrRow);
  const price = read(`${inputOrRow}.price`).replace('$', '');
  return formatOffering({
    name,
    desc: read(`${inputOrRow}.desc`),
    priceCents: price ? Number(price) * 100 : null,
    kind: values[`${inputOrRow}.kind`] === 'monthly' ? 'monthly' : 'one_time',
  });
}
