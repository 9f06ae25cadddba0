import { splitSentences } from '../../site/words/sentences.ts';

/** Case-insensitive pattern for lowercase words, without `(?i:…)`, which V8 sometimes ignores. */
const toAnyCasePattern = (words: string): string =>
  `(?:${words.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)})`;

const COMMON_TLDS = 'com|net|org|info|biz|xyz';

/** Top-level domains that are also recognized after a space, such as “evil .Com”. */
const COMMON_TLD_PATTERN = toAnyCasePattern(COMMON_TLDS);

/** Top-level domains recognized regardless of case, such as “evil.Com”, and after “dot”. */
const TLD_PATTERN = toAnyCasePattern(`${COMMON_TLDS}|app|dev|io|link|online|shop|site|store`);

/** “dot”, or a dot in brackets, between the parts of a domain. */
const SPELLED_DOT = String.raw`(?:\s{1,2}${toAnyCasePattern('dot')}\s{1,2}|\s?[(\[](?:${toAnyCasePattern('dot')}|\.)[)\]]\s?)`;

/** The part of a domain before its last dot. */
const DOMAIN_LABEL = String.raw`(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+`;

/** Combining marks that do not form a letter, such as a stroke through the c of “evil.c̶om”. */
const STRAY_MARK_PATTERN = /(?<=\p{Script=Latin})\p{Mn}+/gu;

/**
 * URLs, domains, email addresses and handles, and phone numbers. Browsers accept all these dots.
 */
const CONTACT_REGEXP = new RegExp(
  [
    String.raw`(?<!\p{L})\p{L}+:\/\/\S+`,
    String.raw`(?<!\S)\S*@\p{L}\S*`,
    String.raw`(?<!\S)\S+[(\[]${toAnyCasePattern('at')}[)\]]\S+`,
    // A capital letter after a period starts a sentence that lacks a space, unless what follows is
    // a top-level domain.
    String.raw`${DOMAIN_LABEL}[.\u3002\uff61](?:\p{Ll}{2,}|\p{Lu}{2,}|\p{L}{2,}\/|${TLD_PATTERN})(?!\p{L})\S*`,
    String.raw`${DOMAIN_LABEL}(?:\s{1,2}\.\s?${COMMON_TLD_PATTERN}|${SPELLED_DOT}${TLD_PATTERN})(?!\p{L})\S*`,
    // Dates have 8 digits and ZIP+4 codes have 9.
    String.raw`\+?\(?(?:\p{Nd}\ufe0f?\u20e3?(?:[,\u2022](?=\p{Nd})|[\p{Pd}\u2212\s().·*|~_/]{0,5})){9,}\p{Nd}\ufe0f?\u20e3?`,
  ].join('|'),
  'gu',
);

/**
 * Replaces what strangers could use to lure people from a page that nobody has checked: URLs, email
 * addresses and phone numbers. Text with such contacts becomes plain: “①” becomes “1”.
 */
function hideContacts(text: string, replacement: string): string {
  const plainText = text.normalize('NFKC').replace(STRAY_MARK_PATTERN, '');
  const hiddenText = plainText.replace(CONTACT_REGEXP, replacement);
  return hiddenText === plainText ? text : hiddenText;
}

/** Marks a removed contact; no text that a person enters contains it. */
const REMOVED = '\0';

/** Punctuation that separated a name from a contact before or after it. */
const OUTER_SEPARATORS_PATTERN = /^[\s\p{Pd},:|·]+|[\s\p{Pd},:|·]+$/gu;

/** Removes from a text the sentences that contain contacts. */
export function omitContactSentences(text: string): string {
  const hiddenText = hideContacts(text, REMOVED);
  if (hiddenText === text) return text;
  const sentences = hiddenText.split(/(?=\n)/).flatMap(splitSentences);
  return sentences
    .filter((sentence) => !sentence.includes(REMOVED))
    .join('')
    .trim();
}

/** Removes contacts from a name; empty if nothing else is in it. */
export const omitContacts = (name: string): string => {
  const hiddenName = hideContacts(name, '');
  return hiddenName === name
    ? name
    : hiddenName.replaceAll(/\s+/g, ' ').replaceAll(OUTER_SEPARATORS_PATTERN, '');
};
