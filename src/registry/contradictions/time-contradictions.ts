import { formatHours } from '../../site/calendar/opening-hours.ts';
import type { Weekday } from '../../site/calendar/week.ts';
import type { RecordProblem } from '../describe-issue.ts';
import type { OpeningHours } from '../schemas/opening-hours.ts';
import { closingTimesIn, type HoursInText, hoursIn, returnTimesIn, sentencesIn } from '../prose.ts';
import { checkSentences, readCount, type Text, textsOf } from '../record-texts.ts';
import type { Subsite } from '../schemas/subsite.ts';

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

export function findOpeningContradictions(
  hours: OpeningHours,
  texts: readonly Text[],
): RecordProblem[] {
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

export function findClosedDaysContradictions(
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

export function findHoursContradictions(
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

/** Matches a range of weekdays: “Monday to Friday”, “Mon–Sat”. */
const WEEKDAY_RANGE_PATTERN =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)(?:day)?s?\s?(?:to|through|[-\u2013])\s?(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?\b/i;

const ANSWER_PATTERN = /\b(?:answer(?:s|ed)?|repl(?:y|ies)|responds?|writes? back)\b/i;

/**
 * Finds texts that limit answers to some weekdays in a record without hours, because its forms
 * would promise answers on every day.
 */
export function findMissingHours(
  { hours, availability = '', actions, contactForm }: Subsite,
  texts: readonly Text[],
): RecordProblem[] {
  const isAnswered = contactForm || actions.some(({ purpose }) => purpose !== 'subscription');
  if (hours || !isAnswered) return [];
  const problem =
    'names weekdays, but the record has no hours, so its forms promise answers on every day. Add hours, or correct the text.';
  return [
    ...checkSentences([{ path: ['availability'], text: availability }], (sentence) =>
      WEEKDAY_RANGE_PATTERN.test(sentence) ? problem : undefined,
    ),
    ...checkSentences(texts, (sentence) =>
      WEEKDAY_RANGE_PATTERN.test(sentence) && ANSWER_PATTERN.test(sentence) ? problem : undefined,
    ),
  ];
}

/**
 * Finds the promised response time in a sentence, such as “2 hours”; undefined if there is none or
 * it is vague. `hours` is undefined if the time is in business hours or business days.
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

export function findResponseTimeContradictions(
  subsite: Subsite,
  networkHours: number,
): RecordProblem[] {
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
