/** Top-level domains that are recognized in any case, such as “evil.Com”, and in words. */
const COMMON_TOP_DOMAINS = 'com|net|org|info|biz|xyz';

/** Other top-level domains that are recognized in any case, and in words after “dot”. */
const OTHER_TOP_DOMAINS = 'app|dev|io|link|online|shop|site|store';

/**
 * URLs, domains, email addresses and handles, and phone numbers. Browsers accept all these dots.
 */
const CONTACT = new RegExp(
  [
    String.raw`(?<!\p{L})\p{L}+:\/\/\S+`,
    String.raw`(?<!\S)\S*@\p{L}\S*`,
    String.raw`(?<!\S)\S+[(\[](?i:at)[)\]]\S+`,
    // A capital after a period is the start of a sentence without a space, unless a domain ends so.
    String.raw`(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+[.。｡](?:\p{Ll}{2,}|\p{Lu}{2,}|\p{L}{2,}\/|(?i:${COMMON_TOP_DOMAINS}|${OTHER_TOP_DOMAINS}))(?!\p{L})\S*`,
    String.raw`(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:\s{1,2}\.\s?(?i:${COMMON_TOP_DOMAINS})|(?:\s{1,2}(?i:dot)\s{1,2}|\s?[(\[](?i:dot|\.)[)\]]\s?)(?i:${COMMON_TOP_DOMAINS}|${OTHER_TOP_DOMAINS}))(?!\p{L})\S*`,
    // Dates have 8 digits and long ZIP codes 9.
    String.raw`\+?\(?(?:\p{Nd}\ufe0f?\u20e3?(?:[,•](?=\p{Nd})|[\p{Pd}\u2212\s().·*|~_/]{0,5})){9,}\p{Nd}\ufe0f?\u20e3?`,
  ].join('|'),
  'gu',
);

/**
 * Replaces what strangers could use to lure people from a page that nobody has checked: URLs, email
 * addresses and phone numbers. Text with such contacts becomes plain: “①” becomes “1”.
 */
export function hideContacts(text: string, replacement: string): string {
  const plainText = text.normalize('NFKC');
  const hiddenText = plainText.replace(CONTACT, replacement);
  return hiddenText === plainText ? text : hiddenText;
}
