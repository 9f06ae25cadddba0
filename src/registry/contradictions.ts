import { formatHours } from '../site/calendar/opening-hours.ts';
import type { Weekday } from '../site/calendar/week.ts';
import type { Catalog } from './catalog.ts';
import type { RecordPath } from './fault.ts';
import type { OpeningHours } from './opening-hours.ts';
import {
  closingTimesIn,
  extractAmounts,
  type HoursInText,
  hoursIn,
  returnTimesIn,
  sentencesIn,
  wordsIn,
} from './prose.ts';
import type { RecordProblem } from './describe-issue.ts';
import type { Pricing, Subsite } from './subsite.ts';

interface Text {
  path: RecordPath;
  text: string;
}

/** The text on a subsite that people and agents rely on. */
function textsOf({
  intro,
  facts = [],
  guide = [],
  actions,
}: Pick<Subsite, 'intro' | 'facts' | 'guide' | 'actions'>): Text[] {
  return [
    { path: ['intro'], text: intro ?? '' },
    ...facts.map((text, index) => ({ path: ['facts', index], text })),
    ...guide.map(({ text }, index) => ({ path: ['guide', index, 'text'], text })),
    ...actions.flatMap(({ intro: text = '', description }, index) => [
      { path: ['actions', index, 'intro'], text },
      { path: ['actions', index, 'description'], text: description },
    ]),
  ];
}

type Hours = Pick<HoursInText, 'opens' | 'closes'>;

const isSame = (one: Hours, other: Hours) =>
  one.opens === other.opens && one.closes === other.closes;

/**
 * True if the texts together give these hours for exactly these days, or give them without naming
 * any days.
 */
function matchesHours(
  texts: readonly HoursInText[],
  hours: Hours,
  days: readonly Weekday[],
): boolean {
  const dayLists = texts.filter((text) => isSame(text, hours)).map((text) => text.days);
  if (dayLists.includes(undefined)) return true;
  const statedDays = new Set(dayLists.flatMap((list) => list ?? []));
  return statedDays.size === days.length && days.every((day) => statedDays.has(day));
}

const findDaysWithHours = (hours: OpeningHours, targetHours: Hours): Weekday[] =>
  hours.filter((entry) => isSame(entry, targetHours)).flatMap(({ days }) => days);

const describeHoursContradiction = (hours: OpeningHours): string =>
  `contradicts hours, which are ${formatHours(hours)}. Correct one of the two.`;

/**
 * The problems in the sentences of the texts; `check` returns undefined for a sentence without a
 * problem.
 */
const checkSentences = (
  texts: readonly Text[],
  check: (sentence: string) => string | undefined,
): RecordProblem[] =>
  texts.flatMap(({ path, text }) =>
    sentencesIn(text)
      .map(check)
      .filter((problem) => problem !== undefined)
      .map((problem) => ({ path, problem })),
  );

function findOpeningContradictions(hours: OpeningHours, texts: readonly Text[]): RecordProblem[] {
  const contradictsHours = ({ text }: Text) => {
    const opening = sentencesIn(text)
      .filter((sentence) => /\bopen\b(?! house)/i.test(sentence))
      .flatMap(hoursIn);
    return (
      opening.some((statedHours) => {
        const days = findDaysWithHours(hours, statedHours);
        return !days.length || !matchesHours(opening, statedHours, days);
      }) ||
      closingTimesIn(text).some((time) => hours.every(({ closes }) => time !== closes)) ||
      returnTimesIn(text).some((time) => hours.every(({ closes }) => time > closes))
    );
  };
  return texts
    .filter(contradictsHours)
    .map(({ path }) => ({ path, problem: describeHoursContradiction(hours) }));
}

function findClosedDaysContradictions(
  { availability = '', closedDays = [] }: Subsite,
  texts: readonly Text[],
): RecordProblem[] {
  if (!closedDays.length) return [];
  return checkSentences([{ path: ['availability'], text: availability }, ...texts], (sentence) =>
    /\bopen every day\b(?!.*\bexcept\b)/i.test(sentence)
      ? 'says “open every day”, but closedDays are not empty. Write “every day except on closed days”.'
      : undefined,
  );
}

function findHoursContradictions(
  { hours, availability }: Subsite,
  texts: readonly Text[],
): RecordProblem[] {
  if (!hours) return [];
  const availableHours = hoursIn(availability ?? '');
  const isContradicted =
    availableHours.length > 0 &&
    hours.some((entry) => !matchesHours(availableHours, entry, findDaysWithHours(hours, entry)));
  return [
    ...(isContradicted
      ? [{ path: ['availability'], problem: describeHoursContradiction(hours) }]
      : []),
    ...findOpeningContradictions(hours, texts),
  ];
}

const listHoldEffects = ({ actions }: Subsite) =>
  actions.flatMap(({ effect }) => (effect?.kind === 'hold' ? [effect] : []));

/** The words that name what a price is for, before a comma: “5x8 trailer” in “5x8 trailer, day”. */
export const unitWordsOf = (unit: string): string[] => wordsIn(unit.split(',')[0] ?? '');

/**
 * A price whose words occur in a sentence, with the amounts that the sentence names instead.
 * Undefined if there is none, or if the sentence also names the price, or names only `published`
 * amounts or totals, such as the total for two days.
 */
export function findOtherPrice(
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

function findPriceContradictions(subsite: Subsite, texts: readonly Text[]): RecordProblem[] {
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
    const otherPrice = findOtherPrice(sentence, pricing, publishedAmounts);
    return (
      otherPrice &&
      `names ${otherPrice.amounts}, but pricing has ${otherPrice.price.amount} for “${otherPrice.price.unit}”. Correct one of the two.`
    );
  });
}

function findCommissionContradictions({ pricing = [], commission, ...subsite }: Subsite) {
  const notes = pricing.map(({ notes: text = '' }, index) => ({
    path: ['pricing', index, 'notes'],
    text,
  }));
  return checkSentences([...textsOf(subsite), ...notes], (sentence) => {
    const [, percent] = /\bcommission (?:is|of) (\d+(?:\.\d+)?) percent/i.exec(sentence) ?? [];
    return percent !== undefined && Number(percent) !== commission?.percent
      ? `names a commission of ${percent} percent, but ${commission ? `commission.percent is ${commission.percent}` : 'the record has no commission'}. Correct one of the two.`
      : undefined;
  });
}

/** Texts that state a sales tax rate that no action adds to its offers. */
function findSalesTaxContradictions({ pricing = [], ...subsite }: Subsite): RecordProblem[] {
  const sellingActions = subsite.actions.filter(({ purpose }) => purpose !== 'subscription');
  if (!sellingActions.length) return [];
  const rates = sellingActions.flatMap(({ salesTaxPercent = [] }) => salesTaxPercent);
  const notes = pricing.map(({ notes: text = '' }, index) => ({
    path: ['pricing', index, 'notes'],
    text,
  }));
  return checkSentences([...textsOf(subsite), ...notes], (sentence) => {
    const [, percent] = /\bsales tax\b.*?\b(\d+(?:\.\d+)?) percent/i.exec(sentence) ?? [];
    return percent !== undefined && !rates.includes(Number(percent))
      ? `names a sales tax of ${percent} percent, but ${rates.length ? `salesTaxPercent of the actions is ${rates.join(', ')}` : 'no action has salesTaxPercent, so offers would name no tax'}. Correct one of the two.`
      : undefined;
  });
}

/**
 * Texts that promise a message box on the next page, which appears only for an action with a
 * messageHint.
 */
const findMissingMessageHints = ({ actions }: Subsite): RecordProblem[] =>
  actions.flatMap(({ intro = '', messageHint }, index) =>
    messageHint === undefined && /\bnext page\b/i.test(intro)
      ? {
          path: ['actions', index, 'intro'],
          problem:
            'promises something on the next page, but the action has no messageHint, so the receipt does not open a message box. Add messageHint, or correct the text.',
        }
      : [],
  );

function findHoldContradictions(subsite: Subsite): RecordProblem[] {
  const held = listHoldEffects(subsite).map(({ hours }) => hours);
  if (!held.length) return [];
  return checkSentences(textsOf(subsite), (sentence) => {
    const [, hours] = /\bhold(?:s|ing)?\b.*?\b(\d+) hours?\b/i.exec(sentence) ?? [];
    return hours !== undefined && !held.includes(Number(hours))
      ? `names ${hours} hours, but the action’s effect holds the item for ${held.join(', ')}. Correct one of the two.`
      : undefined;
  });
}

const numberWords = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six'],
  ...['seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
];

/**
 * The number that digits or a word stand for, where “a” is one; undefined if the word is not a
 * number.
 */
function readCount(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const index = numberWords.indexOf(text.toLowerCase().replace(/^an?$/, 'one'));
  return index < 0 ? undefined : index;
}

/**
 * The promised response time as part of a sentence, such as “2 hours”; undefined if there is none
 * or its length is vague. `hours` is undefined for business hours and days.
 */
function findStatedResponseTime(
  sentence: string,
): { words: string; hours: number | undefined } | undefined {
  if (!/\b(?:answers?|repl(?:y|ies)|responds?|writes? back)\b/i.test(sentence)) return undefined;
  const [, words, count = '', business, unit] =
    /\bwithin ((\d+|[a-z]+) (business |working )?(hour|day)s?)\b/i.exec(sentence) ?? [];
  const length = readCount(count);
  if (words === undefined || length === undefined) return undefined;
  return {
    words,
    hours: business === undefined ? length * (unit?.toLowerCase() === 'day' ? 24 : 1) : undefined,
  };
}

function findResponseTimeContradictions(subsite: Subsite, networkHours: number): RecordProblem[] {
  const answeredActions = subsite.actions.filter(({ purpose }) => purpose !== 'subscription');
  const promisedHours = new Set([
    ...answeredActions.map(({ respondWithinHours }) => respondWithinHours),
    ...(subsite.contactForm ? [networkHours] : []),
  ]);
  if (promisedHours.size === 0) return [];
  const texts = [{ path: ['availability'], text: subsite.availability ?? '' }, ...textsOf(subsite)];
  return checkSentences(texts, (sentence) => {
    const statedTime = findStatedResponseTime(sentence);
    return statedTime && (statedTime.hours === undefined || !promisedHours.has(statedTime.hours))
      ? `promises an answer within ${statedTime.words}, but respondWithinHours is ${[...promisedHours].join(', ')}. Correct one of the two.`
      : undefined;
  });
}

/**
 * Finds texts of a subsite that contradict its hours, closed days, prices, commission, sales tax,
 * holds, response times or message box; `networkHours` is the response time of forms without an
 * action. It recognizes only common phrases: text that it reports is probably wrong, and text that
 * it does not report may still be wrong.
 */
export const findContradictions = (subsite: Subsite, networkHours: number): RecordProblem[] => [
  ...findHoursContradictions(subsite, textsOf(subsite)),
  ...findClosedDaysContradictions(subsite, textsOf(subsite)),
  ...findPriceContradictions(subsite, textsOf(subsite)),
  ...findCommissionContradictions(subsite),
  ...findSalesTaxContradictions(subsite),
  ...findHoldContradictions(subsite),
  ...findMissingMessageHints(subsite),
  ...findResponseTimeContradictions(subsite, networkHours),
];

/** Finds purchase terms of a catalog that contradict the hours or prices of its subsite. */
export function findPurchaseTermsContradictions(
  subsite: Subsite,
  { purchaseTerms = [] }: Catalog,
): RecordProblem[] {
  const texts = purchaseTerms.map((text, index) => ({ path: ['purchaseTerms', index], text }));
  return [
    ...(subsite.hours ? findOpeningContradictions(subsite.hours, texts) : []),
    ...findPriceContradictions(subsite, texts),
  ];
}
