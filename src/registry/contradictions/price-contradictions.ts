import type { RecordProblem } from '../describe-issue.ts';
import { extractAmounts, wordsIn } from '../prose.ts';
import { checkSentences, listHoldEffects, readCount, type Text, textsOf } from '../record-texts.ts';
import type { Pricing, Subsite } from '../schemas/subsite.ts';

/**
 * Returns the words that say what a price is for, before a comma: “5x8 trailer” in “5x8 trailer,
 * day”.
 */
export const unitWordsOf = (unit: string): string[] => wordsIn(unit.split(',')[0] ?? '');

/**
 * Finds a price whose words occur in a sentence that names other amounts instead. Undefined if
 * there is none, or if the sentence also names the price, or names only `published` amounts or
 * totals, such as the total for two days.
 */
export function findContradictedPrice(
  sentence: string,
  pricing: readonly Pricing[],
  published: ReadonlySet<number>,
  wordsOf = unitWordsOf,
): { price: Pricing; amounts: string } | undefined {
  const amounts = extractAmounts(sentence);
  const unknown = amounts.filter((amount) => !published.has(amount));
  if (!unknown.length) return undefined;
  const words = wordsIn(sentence);
  const counts = words
    .map((word) => readCount(word))
    .filter((count) => count !== undefined && !amounts.includes(count));
  const price = pricing.find(
    ({ unit, amount }) =>
      wordsOf(unit).every((word) => words.includes(word)) &&
      !amounts.includes(amount) &&
      !unknown.every((total) => counts.includes(total / amount)),
  );
  return price && { price, amounts: unknown.join(', ') };
}

export function findPriceContradictions(subsite: Subsite, texts: readonly Text[]): RecordProblem[] {
  const { pricing = [] } = subsite;
  const deposits = listHoldEffects(subsite).flatMap(({ deposit = [] }) => deposit);
  const publishedAmounts = new Set([...pricing.map(({ amount }) => amount), ...deposits]);
  const pricedDeposits = pricing.filter(({ unit }) => /\bdeposit\b/i.test(unit));
  const checkDeposit = (amounts: readonly number[]) => {
    const problem = `names a deposit of ${amounts.join(', ')}, but`;
    if (deposits.length)
      return amounts.some((amount) => deposits.includes(amount))
        ? undefined
        : `${problem} the action’s effect has ${deposits.join(', ')}. Correct one of the two.`;
    return !pricing.length || pricedDeposits.some(({ amount }) => amounts.includes(amount))
      ? undefined
      : `${problem} pricing has no such deposit. Add it to pricing, or correct one of the two.`;
  };
  return checkSentences(texts, (sentence) => {
    const amounts = extractAmounts(sentence);
    if (!amounts.length) return undefined;
    if (/\bdeposits?\b/i.test(sentence)) return checkDeposit(amounts);
    const otherPrice = findContradictedPrice(sentence, pricing, publishedAmounts);
    return (
      otherPrice &&
      `names ${otherPrice.amounts}, but pricing has ${otherPrice.price.amount} for “${otherPrice.price.unit}”. Correct one of the two.`
    );
  });
}

/** Lists the texts of a subsite and the notes on its prices. */
const textsWithPriceNotesOf = (subsite: Subsite): Text[] => [
  ...textsOf(subsite),
  ...(subsite.pricing ?? []).map(({ notes: text = '' }, index) => ({
    path: ['pricing', index, 'notes'],
    text,
  })),
];

export function findCommissionContradictions(subsite: Subsite): RecordProblem[] {
  const { commission } = subsite;
  return checkSentences(textsWithPriceNotesOf(subsite), (sentence) => {
    const [, percent] = /\bcommission (?:is|of) (\d+(?:\.\d+)?) percent/i.exec(sentence) ?? [];
    return percent !== undefined && Number(percent) !== commission?.percent
      ? `names a commission of ${percent} percent, but ${commission ? `commission.percent is ${commission.percent}` : 'the record has no commission'}. Correct one of the two.`
      : undefined;
  });
}

/** Finds texts that state a sales tax rate that no action adds to its offers. */
export function findSalesTaxContradictions(subsite: Subsite): RecordProblem[] {
  const sellingActions = subsite.actions.filter(({ purpose }) => purpose !== 'subscription');
  if (!sellingActions.length) return [];
  const rates = sellingActions.flatMap(({ salesTaxPercent = [] }) => salesTaxPercent);
  return checkSentences(textsWithPriceNotesOf(subsite), (sentence) => {
    const [, percent] = /\bsales tax\b.*?\b(\d+(?:\.\d+)?) percent/i.exec(sentence) ?? [];
    return percent !== undefined && !rates.includes(Number(percent))
      ? `names a sales tax of ${percent} percent, but ${rates.length ? `salesTaxPercent of the actions is ${rates.join(', ')}` : 'no action has salesTaxPercent, so offers would show no tax'}. Correct one of the two.`
      : undefined;
  });
}
