import { editDistance } from '../../site/nearest.ts';

/** Domains of common mail services in the United States. */
const COMMON_DOMAINS = [
  'gmail.com',
  'yahoo.com',
  'outlook.com',
  'hotmail.com',
  'icloud.com',
  'aol.com',
  'comcast.net',
  'msn.com',
  'live.com',
  'protonmail.com',
  'verizon.net',
  'bellsouth.net',
  'sbcglobal.net',
  'earthlink.net',
] as const;

/** Domains that exist and differ from a common one by a single letter. */
const SIMILAR_DOMAINS: ReadonlySet<string> = new Set([
  'cloud.com',
  'email.com',
  'gail.com',
  'kahoo.com',
  'mail.com',
  'outlooks.com',
  'wahoo.com',
]);

/** Mail services whose names differ from gmail.com only in the first letter, such as ymail.com. */
const GMAIL_VARIANT_PATTERN = /^[a-z]mail\.com$/;

/** Shorter names, such as aol, are close to too many other names. */
const MIN_NAME_LENGTH = 5;

function splitDomain(domain: string): readonly [name: string, ending: string] {
  const dot = domain.lastIndexOf('.');
  return [domain.slice(0, dot), domain.slice(dot + 1)];
}

/** Whether a domain is probably a common one with a typo in its name, its ending or both. */
function resembles(domain: string, commonDomain: string): boolean {
  const [name, ending] = splitDomain(domain);
  const [commonName, commonEnding] = splitDomain(commonDomain);
  const nameDistance = editDistance(name, commonName);
  const endingDistance = editDistance(ending, commonEnding);
  if (nameDistance === 0) return endingDistance === 1;
  // Two letters may be a country code, as in gmai.co.
  const isEndingLikely = endingDistance === 0 || (endingDistance === 1 && ending.length > 2);
  return nameDistance === 1 && isEndingLikely && commonName.length >= MIN_NAME_LENGTH;
}

/** The domain of an email address, lowercased. */
export const readDomain = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** A domain that looks mistyped, and the common domain that was probably meant. */
export interface MistypedDomain {
  domain: string;
  intendedDomain: string;
}

/** The mistyped domain of an email address; undefined if the domain is plausible. */
export function findMistypedDomain(address: string): MistypedDomain | undefined {
  const domain = readDomain(address);
  const isPlausible =
    (COMMON_DOMAINS as readonly string[]).includes(domain) ||
    SIMILAR_DOMAINS.has(domain) ||
    GMAIL_VARIANT_PATTERN.test(domain);
  const intendedDomain = isPlausible
    ? undefined
    : COMMON_DOMAINS.find((commonDomain) => resembles(domain, commonDomain));
  return intendedDomain === undefined ? undefined : { domain, intendedDomain };
}
