const AMOUNT_PATTERN = String.raw`(?<sign>us\$|\$|usd)?\s{0,3}(?<amount>\d[\d,]{0,9}(?:\.\d{1,2})?)\s{0,3}(?<unit>usd|dollars?|bucks|d[oó]lares)?(?![\p{L}\d])`;
const LIMIT_PATTERN =
  'under|below|less than|cheaper than|at most|no more than|not more than|up to|max(?:imum)?|menos de|hasta';
const TRAILING_LIMIT_PATTERN =
  '(?:or|and) (?:less|under|below|cheaper)|at most|max(?:imum)?|o menos';

const BOUND_PATTERNS = [
  new RegExp(String.raw`(?<!\p{L})(?:for )?(?:${LIMIT_PATTERN})\s{1,3}${AMOUNT_PATTERN}`, 'iu'),
  new RegExp(
    String.raw`(?<!\p{L})(?:for )?${AMOUNT_PATTERN}\s{1,3}(?:${TRAILING_LIMIT_PATTERN})(?!\p{L})`,
    'iu',
  ),
];

/**
 * A number without a currency counts as a price only at the end of a query: “up to 7 feet” is not a
 * price.
 */
const BOUND_END_PATTERN = /^\s*(?:$|[.,;:!?)])/;

/** The highest price that a query names, such as “under $200”, and the query without it. */
export function readPriceBound(query: string): { rest: string; maxPrice?: number } {
  for (const bound of BOUND_PATTERNS) {
    const found = bound.exec(query);
    const { sign, amount, unit } = found?.groups ?? {};
    if (!found || amount === undefined) continue;
    const after = query.slice(found.index + found[0].length);
    if (sign === undefined && unit === undefined && !BOUND_END_PATTERN.test(after)) continue;
    const rest = `${query.slice(0, found.index)} ${after}`.trim();
    return { rest, maxPrice: Number(amount.replaceAll(',', '')) };
  }
  return { rest: query };
}
