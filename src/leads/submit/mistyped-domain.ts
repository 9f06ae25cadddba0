import { isWithinOneEdit } from '../../site/corrections/similar-names.ts';

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

const splitCommonDomains = COMMON_DOMAINS.map((domain) => ({ domain, parts: splitDomain(domain) }));

type DomainParts = ReturnType<typeof splitDomain>;

/** Whether a domain is probably a common one with a typo in its name, its ending or both. */
function resembles([name, ending]: DomainParts, [commonName, commonEnding]: DomainParts): boolean {
  if (!isWithinOneEdit(name, commonName) || !isWithinOneEdit(ending, commonEnding)) return false;
  if (name === commonName) return ending !== commonEnding;
  // Two letters may be a country code, as in gmai.co.
  const isEndingLikely = ending === commonEnding || ending.length > 2;
  return isEndingLikely && commonName.length >= MIN_NAME_LENGTH;
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
    : splitCommonDomains.find(({ parts }) => resembles(splitDomain(domain), parts))?.domain;
  return intendedDomain === undefined ? undefined : { domain, intendedDomain };
}
