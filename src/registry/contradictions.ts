import { formatHours } from '../site/calendar/opening-hours.ts';
import type { Weekday } from '../site/calendar/week.ts';
import type { Catalog } from './catalog.ts';
import type { RecordPath } from './fault.ts';
import type { OpeningHours } from './opening-hours.ts';
import { extractAmounts, type HoursInText, hoursIn, sentencesIn, wordsIn } from './prose.ts';
import type { Violation } from './rules/rule.ts';
import type { Subsite } from './subsite.ts';

interface Text {
  path: RecordPath;
  text: string;
}

/** The text on a subsite that people and agents rely on. */
function textsOf({ intro, facts = [], guide = [], actions }: Subsite): Text[] {
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

/** True if texts give these hours for exactly these days together, or without naming days. */
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

function* findHoursContradictions(
  { hours, availability }: Subsite,
  texts: readonly Text[],
): Generator<Omit<Violation, 'record'>> {
  if (!hours) return;
  const available = hoursIn(availability ?? '');
  if (
    available.length &&
    hours.some((entry) => !matchesHours(available, entry, findDaysWithHours(hours, entry)))
  )
    yield { path: ['availability'], problem: describeHoursContradiction(hours) };
  yield* findOpeningContradictions(hours, texts);
}

function* findOpeningContradictions(
  hours: OpeningHours,
  texts: readonly Text[],
): Generator<Omit<Violation, 'record'>> {
  for (const { path, text } of texts) {
    const opening = sentencesIn(text)
      .filter((sentence) => /\bopen\b(?! house)/i.test(sentence))
      .flatMap(hoursIn);
    if (
      opening.some((statedHours) => {
        const days = findDaysWithHours(hours, statedHours);
        return !days.length || !matchesHours(opening, statedHours, days);
      })
    )
      yield { path, problem: describeHoursContradiction(hours) };
  }
}

/** The words that name what a price is for, before a comma: “5x8 trailer” in “5x8 trailer, day”. */
const unitWordsOf = (unit: string): string[] => wordsIn(unit.split(',')[0] ?? '');

function* findPriceContradictions(
  { pricing = [], actions }: Subsite,
  texts: readonly Text[],
): Generator<Omit<Violation, 'record'>> {
  const effects = actions.flatMap(({ effect }) => (effect?.kind === 'hold' ? [effect] : []));
  const deposits = effects.flatMap(({ deposit }) => (deposit === undefined ? [] : [deposit]));
  const publishedAmounts = new Set([...pricing.map(({ amount }) => amount), ...deposits]);
  const pricedDeposits = pricing.filter(({ unit }) => /\bdeposit\b/i.test(unit));
  for (const { path, text } of texts)
    for (const sentence of sentencesIn(text)) {
      const amounts = extractAmounts(sentence);
      if (!amounts.length) continue;
      const words = wordsIn(sentence);
      if (/\bdeposits?\b/i.test(sentence)) {
        if (deposits.length && !amounts.some((amount) => deposits.includes(amount)))
          yield {
            path,
            problem: `names a deposit of ${amounts.join(', ')}, but the action’s effect has ${deposits.join(', ')}. Correct one of the two.`,
          };
        else if (
          pricing.length > 0 &&
          !deposits.length &&
          !pricedDeposits.some(({ amount }) => amounts.includes(amount))
        )
          yield {
            path,
            problem: `names a deposit of ${amounts.join(', ')}, but pricing has no such deposit. Add it to pricing, or correct one of the two.`,
          };
        continue;
      }
      const unknown = amounts.filter((amount) => !publishedAmounts.has(amount));
      const price = pricing.find(
        ({ unit, amount }) =>
          unitWordsOf(unit).every((word) => words.includes(word)) && !amounts.includes(amount),
      );
      if (price && unknown.length)
        yield {
          path,
          problem: `names ${unknown.join(', ')}, but pricing has ${price.amount} for “${price.unit}”. Correct one of the two.`,
        };
    }
}

function* findCommissionContradictions(subsite: Subsite): Generator<Omit<Violation, 'record'>> {
  const { pricing = [], commission } = subsite;
  const notes = pricing.map(({ notes: text = '' }, index) => ({
    path: ['pricing', index, 'notes'],
    text,
  }));
  for (const { path, text } of [...textsOf(subsite), ...notes]) {
    const [, percent] = /\bcommission (?:is|of) (\d+(?:\.\d+)?) percent/i.exec(text) ?? [];
    if (percent !== undefined && Number(percent) !== commission?.percent)
      yield {
        path,
        problem: `names a commission of ${percent} percent, but ${commission ? `commission.percent is ${commission.percent}` : 'the record has no commission'}. Correct one of the two.`,
      };
  }
}

/** Texts that promise a box on the next page, which only an action with a messageHint has. */
function* findMissingMessageHints({ actions }: Subsite): Generator<Omit<Violation, 'record'>> {
  for (const [index, { intro = '', messageHint }] of actions.entries())
    if (messageHint === undefined && /\bnext page\b/i.test(intro))
      yield {
        path: ['actions', index, 'intro'],
        problem:
          'promises something on the next page, but the action has no messageHint, so the receipt opens no message box. Add messageHint, or correct the text.',
      };
}

function* findHoldContradictions(subsite: Subsite): Generator<Omit<Violation, 'record'>> {
  const effects = subsite.actions.flatMap(({ effect }) =>
    effect?.kind === 'hold' ? [effect] : [],
  );
  if (!effects.length) return;
  for (const { path, text } of textsOf(subsite))
    for (const sentence of sentencesIn(text)) {
      const [, statedHours] = /\bhold(?:s|ing)?\b.*?\b(\d+) hours?\b/i.exec(sentence) ?? [];
      if (statedHours !== undefined && !effects.some(({ hours }) => hours === Number(statedHours)))
        yield {
          path,
          problem: `names ${statedHours} hours, but the action’s effect holds the item for ${effects.map(({ hours }) => hours).join(', ')}. Correct one of the two.`,
        };
    }
}

const numberWords = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six'],
  ...['seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
];

/** The number in digits or a word, where “a” is one; undefined if the word is not a number. */
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

function* findResponseTimeContradictions(
  subsite: Subsite,
  networkHours: number,
): Generator<Omit<Violation, 'record'>> {
  const answered = subsite.actions.filter(({ purpose }) => purpose !== 'subscription');
  const promised = new Set([
    ...answered.map(({ respondWithinHours }) => respondWithinHours),
    ...(subsite.contactForm ? [networkHours] : []),
  ]);
  if (promised.size === 0) return;
  for (const { path, text } of [
    { path: ['availability'], text: subsite.availability ?? '' },
    ...textsOf(subsite),
  ])
    for (const sentence of sentencesIn(text)) {
      const stated = findStatedResponseTime(sentence);
      if (stated && (stated.hours === undefined || !promised.has(stated.hours)))
        yield {
          path,
          problem: `promises an answer within ${stated.words}, but respondWithinHours is ${[...promised].join(', ')}. Correct one of the two.`,
        };
    }
}

/**
 * Finds texts of a subsite that contradict its hours, prices, commission, holds, response times or
 * message box; `networkHours` is the response time of forms without an action. It recognizes only
 * common phrases: a text that it reports is probably wrong, and a text that it does not report may
 * still be wrong.
 */
export const findContradictions = (
  subsite: Subsite,
  networkHours: number,
): Omit<Violation, 'record'>[] => [
  ...findHoursContradictions(subsite, textsOf(subsite)),
  ...findPriceContradictions(subsite, textsOf(subsite)),
  ...findCommissionContradictions(subsite),
  ...findHoldContradictions(subsite),
  ...findMissingMessageHints(subsite),
  ...findResponseTimeContradictions(subsite, networkHours),
];

/** Finds purchase terms of a catalog that contradict the hours or prices of its subsite. */
export function findPurchaseTermsContradictions(
  subsite: Subsite,
  { purchaseTerms = [] }: Catalog,
): Omit<Violation, 'record'>[] {
  const texts = purchaseTerms.map((text, index) => ({ path: ['purchaseTerms', index], text }));
  return [
    ...(subsite.hours ? findOpeningContradictions(subsite.hours, texts) : []),
    ...findPriceContradictions(subsite, texts),
  ];
}
