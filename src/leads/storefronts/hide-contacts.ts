/** Top-level domains that are recognized in any case, such as “evil.Com”. */
const commonTopDomains = ['com', 'net', 'org', 'info', 'biz', 'xyz']
  .map((name) => name.replaceAll(/./g, (letter) => `[${letter}${letter.toUpperCase()}]`))
  .join('|');

/**
 * URLs, domains, email addresses and handles, and phone numbers. Browsers accept all these dots.
 */
const CONTACT = new RegExp(
  [
    String.raw`(?<!\p{L})\p{L}+:\/\/\S+`,
    String.raw`(?<!\S)\S*@\p{L}\S*`,
    // A capital after a period is the start of a sentence without a space, not a domain.
    String.raw`(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+[.。．｡](?:\p{Ll}{2,}|\p{Lu}{2,}|\p{L}{2,}\/|${commonTopDomains})(?!\p{L})\S*`,
    // Dates have 8 digits and long ZIP codes 9.
    String.raw`\+?\(?(?:\p{Nd}\ufe0f?\u20e3?(?:[,•](?=\p{Nd})|[\p{Pd}\u2212\s().·*|~_/]{0,5})){9,}\p{Nd}\ufe0f?\u20e3?`,
  ].join('|'),
  'gu',
);

/**
 * Replaces what strangers could use to lure people from a page that nobody has checked: URLs, email
 * addresses and phone numbers.
 */
export const hideContacts = (text: string, replacement: string): string =>
  text.replace(CONTACT, replacement);
