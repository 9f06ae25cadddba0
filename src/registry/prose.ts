import { splitSentences } from '../site/words/sentences.ts';
import { type Weekday, weekdays } from '../site/calendar/week.ts';

/**
 * Extracts the words of a text, in lowercase and without separators in numbers: “2,200” becomes
 * 2200.
 */
export const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/(\d),(?=\d{3})/g, '$1')
    .match(/\d+(?:\.\d+)?\p{L}*(?:\d+)?|\p{L}+/gu) ?? [];

export const sentencesIn = (text: string): string[] => text.split(/\n{2,}/).flatMap(splitSentences);

/** Extracts amounts of money from text: “$1,200”, “45 USD”, “60 dollars”. */
export const extractAmounts = (text: string): number[] =>
  [...text.matchAll(/\$\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?(?:USD|dollars?)\b/g)].map(
    ([, before, after]) => Number((before ?? after ?? '').replaceAll(',', '')),
  );

/** Opening and closing times (HH:MM) in text, with the days that precede them. */
export interface HoursInText {
  days: readonly Weekday[] | undefined;
  opens: string;
  closes: string;
}

const CLOCK_PATTERN = String.raw`\b(\d{1,2}(?::\d\d)? ?[ap]m|noon|midnight)`;
const HOURS_PATTERN = new RegExp(`${CLOCK_PATTERN} (?:to|until) ${CLOCK_PATTERN}`, 'g');
const DAY_PATTERN = `(${weekdays.join('|')})s?`;
const DAYS_PATTERN = new RegExp(
  `\\b(?:(every day|daily|seven days)|${DAY_PATTERN}(?:( to | through )${DAY_PATTERN})?)\\b`,
  'gi',
);

const CLOSING_PATTERN = new RegExp(
  String.raw`\b(?:we|shop|store|yard|office|desk|counter|showroom) closes? at ${CLOCK_PATTERN}`,
  'gi',
);
/**
 * Matches something that can be brought back, as opposed to a call or message, which is “returned”
 * by answering it.
 */
const ITEM_PATTERN = String.raw`(?:it|them|(?:the|your|each|every|an?)\s+(?!(?:[^\s.;]+\s+)?(?:calls?|emails?|messages?|texts?|voicemails?)\b)[^\s.;]+)`;
/** The number of words is bounded, so that matching takes time linear in the length of the text. */
const FEW_WORDS_PATTERN = String.raw`(?:\s+[^\s.;]+){0,12}?`;
const RETURN_PATTERN = new RegExp(
  String.raw`\b(?:return|bring(?=\s+${ITEM_PATTERN}${FEW_WORDS_PATTERN}\s+back\b))\s+${ITEM_PATTERN}${FEW_WORDS_PATTERN}\s+by\s+${CLOCK_PATTERN}`,
  'gi',
);

function toClockTime(text: string): string {
  if (text === 'noon') return '12:00';
  if (text === 'midnight') return '00:00';
  const [, hour = '', minute = '00', meridiem] = /^(\d+)(?::(\d+))? ?(am|pm)$/.exec(text) ?? [];
  return `${String((Number(hour) % 12) + (meridiem === 'pm' ? 12 : 0)).padStart(2, '0')}:${minute}`;
}

/** Converts a closing time to HH:MM. Hours in records end on the same day, so midnight is 23:59. */
function toClosingTime(text: string): string {
  const time = toClockTime(text);
  return time === '00:00' ? '23:59' : time;
}

const weekdayIndex = (name = ''): number =>
  weekdays.findIndex((day) => day.toLowerCase() === name.toLowerCase());

/** Extracts the days from text such as “Monday to Friday” or “Tuesday and Thursday”. */
function daysIn(text: string): Weekday[] | undefined {
  const found = new Set<Weekday>();
  for (const [, everyDay, from, to, until] of text.matchAll(DAYS_PATTERN)) {
    if (everyDay) return [...weekdays];
    const first = weekdayIndex(from);
    const length = to ? (weekdayIndex(until) - first + weekdays.length) % weekdays.length : 0;
    for (let ahead = 0; ahead <= length; ahead++)
      found.add(weekdays[(first + ahead) % weekdays.length]!);
  }
  return found.size ? weekdays.filter((day) => found.has(day)) : undefined;
}

/** Extracts all business hours from text such as “Monday to Friday, 9 am to 5 pm”. */
export function hoursIn(text: string): HoursInText[] {
  let from = 0;
  return [...text.matchAll(HOURS_PATTERN)].map((match) => {
    const [all, opens = '', closes = ''] = match;
    const clauses = text.slice(from, match.index).split(/[;.]/);
    const days = daysIn(clauses.filter((clause) => !/\bclosed\b/i.test(clause)).join(';'));
    from = match.index + all.length;
    return { days, opens: toClockTime(opens), closes: toClosingTime(closes) };
  });
}

const timesAfter = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, time = '']) => toClosingTime(time.toLowerCase()));

/** Extracts the closing times (HH:MM) that text states. */
export const closingTimesIn = (text: string): string[] => timesAfter(text, CLOSING_PATTERN);

/** Extracts the times (HH:MM) by which, according to text, something must be brought back. */
export const returnTimesIn = (text: string): string[] => timesAfter(text, RETURN_PATTERN);
