import type { FormTexts } from '../../operation/operation.ts';

const textOf = (value: string | FormTexts | undefined): string =>
  typeof value === 'string' ? value.trim() : '';

/**
 * Converts a dollar price such as `45` or `$12.50` to cents. Other text is left unchanged for
 * validation to reject.
 */
function parseCents(price: string): number | string | null {
  const [, dollars, cents = ''] = /^\$?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(price) ?? [];
  if (dollars === undefined) return price || null;
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}

/**
 * Converts form rows to the JSON text of an offerings field. The rows `0` to `n` have `name`,
 * `desc`, `price` in dollars, and `kind`. Empty rows are ignored; undefined if all are empty.
 */
export function readOfferingsFromForm(rows: FormTexts): string | undefined {
  const offerings = Object.keys(rows)
    .sort((a, b) => Number(a) - Number(b))
    .flatMap((index) => {
      const row = rows[index];
      if (typeof row !== 'object') return [];
      const [name, desc, price] = [textOf(row['name']), textOf(row['desc']), textOf(row['price'])];
      return name || desc || price
        ? [{ name, desc, priceCents: parseCents(price), kind: textOf(row['kind']) || 'one_time' }]
        : [];
    });
  return offerings.length ? JSON.stringify(offerings) : undefined;
}
