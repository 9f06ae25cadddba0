import {
  type SearchVocabulary,
  MAX_CHARACTERS,
  removeZipCodes,
  separatePlaces,
} from './question.ts';
import { createSpellingCorrector } from './index/spelling.ts';
import { joinDimensions, termsIn, termsOf, UNIT_SIZE_PATTERN, wordsOf } from './index/terms.ts';

const MONTH_PATTERN =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|' +
  'oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|' +
  'sep?tiembre|octubre|noviembre|diciembre';
/** Months whose names have no other meaning. */
const PLAIN_MONTH_PATTERN =
  'january|february|april|june|july|august|september|october|november|december|enero|febrero|' +
  'marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre';
const WEEKDAY_PATTERN =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|lunes|martes|mi[eé]rcoles|jueves|viernes|' +
  's[aá]bados?|domingos?';
/** Some of these are also words: “wed”, “sun”, “sat”. */
const SHORT_WEEKDAY_PATTERN = 'mon|tues?|wed|thu(?:rs?)?|fri|sat|sun';
const DAY_PATTERN = String.raw`\d{1,2}(?:st|nd|rd|th|[ºª°])?`;
const YEAR_PATTERN = String.raw`(?:,?\s{1,3}(?:del?\s{1,3})?(?:19|20)\d\d)?`;
const RANGE_SEPARATOR_PATTERN = String.raw`\s{0,3}(?:-|\u2013|\u2014|to|and|through|thru|until|till|al?|y|hasta)\s{0,3}`;

/** Number words in which people write the length of a rental. */
const COUNT_PATTERN =
  'one|two|three|four|five|six|seven|ten|uno|dos|tres|cuatro|cinco|seis|siete|diez';

/** A case-insensitive pattern that begins and ends at word boundaries. */
const toWordPattern = (pattern: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, 'giu');

const CALL_REQUEST_PATTERN =
  String.raw`(?:(?:my|the)\s)?(?:contact|reach|reply|respond|call|text|e-?mail|phone|tel(?:ephone)?|cell|mobile)` +
  String.raw`(?:\s(?:me|us|back|to|at|on|number|address|is|by|via|or|email)){0,3}[:.,]?\s{1,3}`;
const EMAIL_PATTERN = String.raw`[\w.+%'-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,5}`;
const PHONE_PATTERN = String.raw`(?:\+?\d{1,3}[\s.-]{1,2}|\+\d{1,3}(?=\())?(?:\(\d{3}\)\s{0,2}|\d{3}[\s.-])?\d{3}[\s.-]\d{4}|\+\d{7,15}|\d{10,11}`;

const CAPITALIZED_WORD_PATTERN = String.raw`\p{Lu}[\p{L}\u2019'-]{1,30}`;
const NAME_PATTERN = String.raw`${CAPITALIZED_WORD_PATTERN}(?:\s{1,2}${CAPITALIZED_WORD_PATTERN}){0,2}`;

/** Greetings, thanks, dates, and the sender of a message. */
const MESSAGE_PART_PATTERNS = [
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${CALL_REQUEST_PATTERN})?(?:${EMAIL_PATTERN})`, 'giu'),
  new RegExp(
    String.raw`(?<![\p{L}\p{N}+(])(?:${CALL_REQUEST_PATTERN})?(?:${PHONE_PATTERN})(?![\p{L}\p{N}])`,
    'giu',
  ),
  // An ISO 8601 date, with its time.
  toWordPattern(
    String.raw`\d{4}-\d\d?-\d\d?(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?)?`,
  ),
  toWordPattern(String.raw`(?:19|20)\d\d[/.]\d\d?[/.]\d\d?`),
  toWordPattern(String.raw`\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d\d)|\d{1,2}/\d{1,2}`),
  // “December 1–2, 2026”, “the 3rd of December”, “3 de diciembre”.
  toWordPattern(
    String.raw`(?:${MONTH_PATTERN})\.?\s{0,2}(?:the\s)?${DAY_PATTERN}(?:${RANGE_SEPARATOR_PATTERN}${DAY_PATTERN}(?!\s{0,2}[ap]\.?m))?${YEAR_PATTERN}`,
  ),
  toWordPattern(
    String.raw`(?:${DAY_PATTERN}${RANGE_SEPARATOR_PATTERN})?${DAY_PATTERN}\s{1,2}(?:(?:of|de)\s{1,2})?(?:${MONTH_PATTERN})(?:${YEAR_PATTERN}|\.?)`,
  ),
  toWordPattern(String.raw`(?:${PLAIN_MONTH_PATTERN})\s{1,2}(?:del?\s)?(?:19|20)\d\d`),
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:[Mm]y name is|[Nn]ame:|[Mm]e llamo|[Mm]i nombre es)\s{1,3}[\p{L}\u2019'-]{2,30}(?:\s${CAPITALIZED_WORD_PATTERN}){0,2}`,
    'gu',
  ),
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:[Ii]\s?am|[Ii][\u2019']m|[Tt]his is|[Cc]ontact|[Ss]oy|[Uu]nder the name(?: of)?|[Oo]n behalf of)\s{1,3}${NAME_PATTERN}`,
    'gu',
  ),
  /^\s*(?:hi|hello|hey|hola|dear|good (?:morning|afternoon|evening|day)|buen[oa]s (?:d[ií]as|tardes|noches))(?: (?:there|team|all|everyone|everybody|folks|sir|madam))?(?: \p{Lu}[\p{L}’'-]{1,30})?\s*[,.!:–—-]/iu,
  /(?<=[\s.,!?])(?:many thanks|thanks|thank you|thx|cheers|regards|(?:best|kind|warm) (?:regards|wishes)|best|sincerely|gracias|saludos)(?: (?:so much|a lot|very much|again|in advance|and regards))?(?:[,.!\s–—-]{1,4}\p{Lu}[\p{L}’'-]{1,30}(?:\s\p{Lu}[\p{L}’'-]{1,30})?)?[\s.!,]*$/iu,
];

/** “Starting” before a date, day or time. */
const START_PATTERN = toWordPattern(
  String.raw`(?:starting|beginning)(?=\s+(?:(?:on|from|in|at|this|next)\s|\d|today|tomorrow|tonight|${WEEKDAY_PATTERN}|${MONTH_PATTERN}))`,
);

/** Matches the length of a rental. Weeks and months distinguish rentals. */
const DURATION_PATTERN = toWordPattern(
  String.raw`(?:(?:for|por|durante)\s{1,2}(?:an?|una?|${COUNT_PATTERN}|\d{1,3})|${COUNT_PATTERN}|\d{1,3})[\s-]{1,2}(?:hours?|hrs?|days?|nights?|weekends?|horas?|d[ií]as?|noches?)`,
);

/** Days, times and numbers, which matter in a question about business hours, but not in a need. */
const TIME_AND_NUMBER_PATTERNS = [
  toWordPattern(String.raw`\d{1,2}(?::\d\d){1,2}(?:\s{0,2}[ap]\.?m\.?)?|\d{1,2}\s{0,2}[ap]\.?m\.?`),
  toWordPattern(
    String.raw`(?:(?:on|by|before|after|until|till|from|next|this|coming|the|el|los|este|pr[oó]ximo)\s{1,2}){0,2}(?:${WEEKDAY_PATTERN})`,
  ),
  toWordPattern(
    String.raw`(?:on|by|next|this|until|till)\s{1,2}(?:${SHORT_WEEKDAY_PATTERN})|(?:${SHORT_WEEKDAY_PATTERN})${RANGE_SEPARATOR_PATTERN}(?:${SHORT_WEEKDAY_PATTERN})`,
  ),
  /(?<![\p{L}\p{N}])(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\.?(?![\p{L}\p{N}])/gu,
  toWordPattern(PLAIN_MONTH_PATTERN),
  toWordPattern(String.raw`\d{1,2}(?:st|nd|rd|th)`),
  DURATION_PATTERN,
  toWordPattern(
    'today|tomorrow|tonight|hoy|mañana|asap|a\\.s\\.a\\.p\\.?|as soon as (?:possible|you can)|right away|right now|immediately|lo antes posible|cuanto antes',
  ),
  toWordPattern(
    '(?:this|next|coming|over the|for the) (?:morning|afternoon|evening|week|weekend|month|year)',
  ),
  // A number before another word or a sign is a size or a count: “6 feet”, “60″”.
  /(?<![\p{L}\p{N}.,$-])(?!\d{5}(?:-\d{4})?(?![\p{L}\p{N}]))#?\d+(?:[.,]\d+)*(?![\p{L}\p{N}]|\s?["'’”′″])(?![\s-]{1,3}(?!(?:for|to|in|at|on|and|or|from|by|please|until|i|my)\b)\p{L})/giu,
];

/** Words that ask whether something is still available; they say nothing about the thing itself. */
const AVAILABILITY_PATTERN = toWordPattern(
  'still (?:available|there|for sale)|(?:a[uú]n|todav[ií]a) (?:est[aá] )?disponibles?|(?:a[uú]n|todav[ií]a) (?:lo |la )?tienen',
);

/** Words about the terms of an offer, which do not say what is wanted. */
const OFFER_TERMS_PATTERN = toWordPattern(
  '(?:sales )?tax(?:es)?|fees?|deposits?|total|impuestos?|dep[oó]sito|tarifas?',
);

/**
 * Spellings of time words in text messages, which differ too much from the usual spelling to be
 * corrected.
 */
const TEXTED_TIME_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tonight: ['tonite', 'tonit', '2nite', '2night', 'tnite', '2nt'],
    tomorrow: ['tmrw', 'tmw', 'tmr', 'tmrow', 'tomoro', 'tomorro', '2morrow', '2moro', '2mrw'],
    today: ['2day', 'tday'],
    mañana: ['manana'],
    next: ['nxt'],
  }).flatMap(([word, spellings]) => spellings.map((spelling) => [spelling, word] as const)),
);

/** Corrects longer words about time, which no other word resembles. */
const correctTimeWord = createSpellingCorrector([
  'tonight',
  'tomorrow',
  'immediately',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'saturday',
  'sunday',
  'weekend',
]);

/** Minimum number of letters in a word about time to correct its spelling. */
const MIN_TIME_WORD_LENGTH = 6;

/** Corrects the spelling of words about time: “tonite”, “2morrow”, “tommorow”. */
const correctTimeWords = (text: string): string =>
  text.replace(/[\p{L}\p{N}]+/gu, (spelled) => {
    const word = spelled.toLowerCase();
    const texted = TEXTED_TIME_WORDS.get(word);
    if (texted !== undefined || word.length < MIN_TIME_WORD_LENGTH) return texted ?? spelled;
    const corrected = correctTimeWord(word);
    return corrected === word ? spelled : corrected;
  });

const replaceParts = (text: string, parts: readonly RegExp[]): string =>
  parts.reduce((remaining, part) => remaining.replace(part, ' '), text);

/** Returns what remains of a text, or the whole text if no search term remains. */
const keepTerms = (rest: string, text: string): string => (termsOf(rest).length ? rest : text);

/** Removes these parts from text. Returns the text unchanged if no search term would remain. */
const removeParts = (text: string, parts: readonly RegExp[]): string =>
  keepTerms(replaceParts(text, parts), text);

/**
 * Removes greetings, thanks, dates, and the sender's name, email address and phone number from a
 * question.
 */
export const removeSender = (question: string): string =>
  removeParts(question.slice(0, MAX_CHARACTERS), MESSAGE_PART_PATTERNS);

/** Matches sizes such as “16 ft”, “5 kW” and “8x16”, which may differ from the offered sizes. */
const UNIT_SIZES_PATTERN = new RegExp(String.raw`(?<![\p{L}\p{N}])${UNIT_SIZE_PATTERN}`, 'giu');
const SIZE_PATTERNS = [UNIT_SIZES_PATTERN, toWordPattern(String.raw`\d+\s?x\s?\d+`)];

/** Matches a county that the network may not know by name. */
const COUNTY_PATTERN = toWordPattern(String.raw`\p{L}+\scounty|condado\sde\s\p{L}+`);

/** Removes sizes, ZIP codes and counties from a need. */
export const removeSizesAndPlaces = (need: string): string =>
  removeParts(removeZipCodes(need.slice(0, MAX_CHARACTERS)), [...SIZE_PATTERNS, COUNTY_PATTERN]);

const DETAIL_PATTERNS = [
  START_PATTERN,
  ...MESSAGE_PART_PATTERNS,
  ...TIME_AND_NUMBER_PATTERNS,
  AVAILABILITY_PATTERN,
];

/** Returns a need with corrected words about time, and what remains of it without its details. */
function separateDetails(need: string): { spelled: string; rest: string } {
  const spelled = correctTimeWords(joinDimensions(need.slice(0, MAX_CHARACTERS)));
  return { spelled, rest: replaceParts(spelled, DETAIL_PATTERNS) };
}

/**
 * Removes the sender, dates, days, times, numbers and “still available” from a need, but not ZIP
 * codes and sizes.
 */
export function removeDetails(need: string): string {
  const { spelled, rest } = separateDetails(need);
  return keepTerms(rest, spelled);
}

/** Matches an amount of money, which does not say what it is for. */
const AMOUNT_PATTERN = toWordPattern(
  String.raw`\$\s?\d[\d,]*(?:\.\d\d)?|\d[\d,]*\s(?:dollars?|bucks|d[oó]lares)`,
);

/**
 * Whether all words of a question are details, such as a day, a time, a place, an amount or a size
 * with its unit.
 */
export function hasOnlyDetails(
  question: string,
  { places }: Pick<SearchVocabulary, 'places'>,
): boolean {
  if (!termsOf(question).length) return false;
  const rest = replaceParts(removeZipCodes(separateDetails(question).rest), [
    UNIT_SIZES_PATTERN,
    AMOUNT_PATTERN,
    COUNTY_PATTERN,
  ]);
  return !termsIn(separatePlaces(wordsOf(rest), places).rest).length;
}

/** Words that ask for a price. */
const PRICE_PATTERN =
  /(?<!\p{L})(?:how much|prices?|costs?|charged?|rates?|cu[aá]nto (?:cuesta|vale|cobran)|precios?)(?!\p{L})/iu;

/**
 * Removes the length of a rental, which few published prices mention, from a question about a
 * price.
 */
export const removePricedDuration = (question: string): string =>
  PRICE_PATTERN.test(question) ? removeParts(question, [DURATION_PATTERN]) : question;

/** Removes words about the terms of an offer, such as “with tax” in “trailer price with tax”. */
export const removeOfferTerms = (need: string): string =>
  removeParts(need.slice(0, MAX_CHARACTERS), [OFFER_TERMS_PATTERN]);
