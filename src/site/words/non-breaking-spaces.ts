const MONTH_PATTERN = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const TIME_UNIT_PATTERN =
  'am|pm|a\\.m\\.|p\\.m\\.|seconds?|minutes?|min|hours?|days?|weeks?|months?|years?';
const MEASURE_UNIT_PATTERN =
  'ft|feet|foot|in|inch(?:es)?|yards?|miles?|sq|square|cu|cubic|lbs?|pounds?|tons?|oz|ounces?|gal|gallons?|qt|quarts?|percent|people|A|V|W|kW|watts?|volts?|amps?|dB|psi|USD';

/** Matches spaces between a number and its unit, and within a date, time, size or phone number. */
const NON_BREAKING_SPACE_PATTERN = new RegExp(
  [
    `(?<=\\d)[ \\n](?=(?:${TIME_UNIT_PATTERN}|${MEASURE_UNIT_PATTERN})(?![\\w-])|[AP]M\\b|×)`,
    '(?<=\\d[ \\n](?:[ap]m|[AP]M))[ \\n](?=[A-Z]{2,4}\\b)',
    `(?<=\\b(?:${MONTH_PATTERN})[a-z]*)[ \\n](?=\\d)`,
    '(?<=[×÷]|\\bZIP)[ \\n](?=[$\\d])',
    '(?<=\\d[ \\n]ft)[ \\n](?=\\d+[ \\n]in\\b)',
    '(?<=\\([\\d•]{3}\\))[ \\n](?=[\\d•]{3}-)',
  ].join('|'),
  'g',
);

/** Prevents line breaks between a number and its unit or label: “7 pm”, “Nov 24”. */
export const addNonBreakingSpaces = (text: string): string =>
  text.replaceAll(NON_BREAKING_SPACE_PATTERN, '\u00a0');

/** Matches a hyphen within a word. */
const INNER_HYPHEN_PATTERN = /(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}])/gu;

/**
 * Prevents line breaks in headings after the hyphen in a word such as “clean-out”. A word joiner
 * follows the hyphen: unlike a non-breaking hyphen, it needs no glyph, and a search in the page
 * still finds the word.
 */
const joinHyphenatedWords = (text: string): string =>
  text.replaceAll(INNER_HYPHEN_PATTERN, '-\u2060');

/** Prevents line breaks after the hyphen in a code such as “R-22”. */
const joinCodes = (text: string): string => text.replaceAll(/(?<=\b[A-Z])-(?=\d)/g, '-\u2060');

/**
 * Punctuation that is marked together with the adjacent number, because browsers may break a line
 * before or after the marked element.
 */
const OPENING_SIGNS = String.raw`[(\u201c]*`;
const CLOSING_SIGNS = String.raw`[,.;:!?)\u201d]*`;

/**
 * Matches a phone number after {@link addNonBreakingSpaces}, in the format of this program or as
 * people type it: 727-555-0142, 727.555.0142, 727 555 0142, +1 727 555 0142. Numbers from other
 * countries may be too long for a line, so they may break at their spaces.
 */
const PHONE_PATTERN = new RegExp(
  [
    String.raw`${OPENING_SIGNS}\([\d\u2022]{3}\)[\u00a0 ]?[\d\u2022]{3}[-.\u00a0 ][\d\u2022]{4}${CLOSING_SIGNS}`,
    String.raw`(?<![\w/.+-])${OPENING_SIGNS}(?:\+?1[-. ])?\d{3}([-. ])\d{3}\1\d{4}(?![\w-])${CLOSING_SIGNS}`,
  ].join('|'),
  'g',
);

/** Splits a text into phone numbers, which must not break, and the parts between them, in order. */
export function splitAtPhones(text: string): { text: string; isPhone: boolean }[] {
  const phones = [...text.matchAll(PHONE_PATTERN)];
  const ends = [0, ...phones.map(({ 0: phone, index }) => index + phone.length)];
  return ends
    .flatMap((end, place) => [
      { text: text.slice(end, phones[place]?.index), isPhone: false },
      { text: phones[place]?.[0] ?? '', isPhone: true },
    ])
    .filter((part) => part.text);
}

/**
 * Matches an ISO 8601 date, such as the version of a protocol, or a number with its unit (“7-pin”).
 */
const HYPHENATED_NUMBER_PATTERN = new RegExp(
  String.raw`(?<![\w/.-])${OPENING_SIGNS}(?:\d{4}-\d{2}-\d{2}|\d{1,3}(?:[.,]\d+)?-[a-z]+(?:-[a-z\d]+)*)(?![\w-])${CLOSING_SIGNS}`,
  'g',
);

/**
 * Marks the phone numbers and hyphenated numbers in the text of HTML, so that browsers do not break
 * them after the hyphen. People copy and search for them, so no word joiner may follow the hyphen.
 */
const markNumbers = (text: string): string =>
  text
    .replaceAll(PHONE_PATTERN, '<span class="phone">$&</span>')
    .replaceAll(HYPHENATED_NUMBER_PATTERN, '<span class="unbroken">$&</span>');

/** Matches an element whose text is copied, sent or run unchanged; a comment; a tag; or text. */
const HTML_PART_PATTERN =
  /<(script|style|textarea|pre|code|select)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<(?:"[^"]*"|'[^']*'|[^'">])*>|[^<]+/g;

/**
 * Applies {@link addNonBreakingSpaces}, {@link joinCodes} and {@link markNumbers} to the text in HTML
 * and {@link joinHyphenatedWords} to its headings, except in code, inputs and attributes.
 */
export function preventLineBreaksInHtml(html: string): string {
  let isHeading = false;
  /** The element around the text that can contain only text or drawings. */
  let plainElement: string | undefined;
  return html.replaceAll(HTML_PART_PATTERN, (part) => {
    if (part.startsWith('<')) {
      const { end, name = '' } =
        /^<(?<end>\/?)(?<name>[a-z\d]+)\b(?!.*\/>$)/is.exec(part)?.groups ?? {};
      if (/^h[1-6]$/i.test(name)) isHeading = !end;
      if (!end && /^(?:title|svg)$/i.test(name)) plainElement ??= name;
      else if (end && name === plainElement) plainElement = undefined;
      return part;
    }
    const text = joinCodes(addNonBreakingSpaces(part));
    const markedText = plainElement === undefined ? markNumbers(text) : text;
    return isHeading ? joinHyphenatedWords(markedText) : markedText;
  });
}
