import { isObject } from '../../site/json-object.ts';

/** An offering as shown in its form row: text, with the price in dollars. */
export interface OfferingRow {
  name: string;
  desc: string;
  price: string;
  kind: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Cents as a price in dollars; an invalid number is shown as entered. */
function formatCents(cents: unknown): string {
  if (typeof cents !== 'number') return textOf(cents);
  return cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100);
}

/** The rows in the JSON text of offerings; none if the text is not an array. */
export function parseOfferingRows(text: string): OfferingRow[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(value)) return [];
  return value.map((offering: unknown) => {
    const { name, desc, priceCents, kind } = isObject(offering) ? offering : {};
    return {
      name: textOf(name),
      desc: textOf(desc),
      price: formatCents(priceCents),
      kind: textOf(kind),
    };
  });
}
