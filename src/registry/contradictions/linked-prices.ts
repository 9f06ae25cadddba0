import { listLinkTargets } from '../../site/link-targets.ts';
import { itemsOf, recordOfPage, type Registry } from '../../site/registry.ts';
import { findSubsiteAbove } from '../../site/subsite-above.ts';
import { findContradictedPrice, unitWordsOf } from './price-contradictions.ts';
import type { RecordProblem } from '../describe-issue.ts';
import { extractAmounts, sentencesIn, wordsIn } from '../prose.ts';
import type { Subsite } from '../schemas/subsite.ts';

/** Finds the subsites to which a text links, directly or through one of their pages. */
const findLinkedSubsites = (registry: Registry, markdown: string): Set<Subsite> =>
  new Set(
    listLinkTargets(markdown).flatMap(
      (target) => findSubsiteAbove(registry, `${target.replace(/[?#].*$|\.md$/, '')}/`) ?? [],
    ),
  );

/**
 * Finds the words that identify a price even in text about other things. If only one word precedes
 * the comma, all words of the unit are needed: “delivery, hookup and removal” is not the price of
 * every delivery.
 */
function findNamingWords(unit: string): string[] {
  const words = unitWordsOf(unit);
  return words.length > 1 ? words : wordsIn(unit);
}

/** Lists all amounts that a subsite publishes: its prices, its items' prices and its deposits. */
const listPublishedAmounts = (registry: Registry, { name, pricing = [], actions }: Subsite) => [
  ...pricing.map(({ amount }) => amount),
  ...itemsOf(registry, name).flatMap(({ price }) => price?.amount ?? []),
  ...actions.flatMap(({ effect }) => (effect?.kind === 'hold' ? (effect.deposit ?? []) : [])),
];

/** Locates the start of a sentence in a text, regardless of line breaks. */
function locateSentence(text: string, sentence: string): RecordProblem['location'] {
  const words = sentence.trim().split(/\s+/).slice(0, 5).map(RegExp.escape);
  const pattern = new RegExp(words.join('\\s+'), 'g');
  return { pattern, match: [...text.slice(0, text.indexOf(sentence)).matchAll(pattern)].length };
}

/**
 * Finds prices in a text that contradict those of its `owner` or of the subsites to which it links.
 */
function findOutdatedPrices(
  registry: Registry,
  path: RecordProblem['path'],
  text: string,
  owner: Subsite | undefined,
): RecordProblem[] {
  if (!extractAmounts(text).length) return [];
  const linked = findLinkedSubsites(registry, text);
  return text.split(/\n{2,}/).flatMap((paragraph) => {
    const subsites = linked.size === 1 ? linked : findLinkedSubsites(registry, paragraph);
    const candidates = [...new Set([...(owner ? [owner] : []), ...subsites])];
    const published = new Set(
      candidates.flatMap((subsite) => listPublishedAmounts(registry, subsite)),
    );
    return sentencesIn(paragraph).flatMap((sentence) => {
      if (/\bdeposits?\b/i.test(sentence)) return [];
      for (const subsite of candidates) {
        const pricing = (subsite.pricing ?? []).filter(
          ({ unit }) => subsite === owner || findNamingWords(unit).length > 1,
        );
        const otherPrice = findContradictedPrice(sentence, pricing, published, findNamingWords);
        if (otherPrice)
          return {
            path,
            problem: `names ${otherPrice.amounts}, but subsites/${subsite.name} has ${otherPrice.price.amount} for “${otherPrice.price.unit}”. Correct one of the two.`,
            location: locateSentence(text, sentence),
          };
      }
      return [];
    });
  });
}

/**
 * Finds pages and catalog items, such as articles, that name an outdated price of a subsite to
 * which they belong or link; grouped by record.
 */
export const findLinkedPriceContradictions = (
  registry: Registry,
): { record: string; problems: RecordProblem[] }[] => [
  ...registry.pages.map((page) => ({
    record: recordOfPage(page),
    problems: findOutdatedPrices(registry, [], page.body, findSubsiteAbove(registry, page.path)),
  })),
  ...registry.subsites.map((subsite) => ({
    record: `catalog/${subsite.name}`,
    problems: itemsOf(registry, subsite.name).flatMap(({ summary, body }, index) =>
      Object.entries({ summary, body }).flatMap(([key, text]) =>
        text === undefined
          ? []
          : findOutdatedPrices(registry, ['items', index, key], text, subsite),
      ),
    ),
  })),
];
