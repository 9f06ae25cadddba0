import type { Action } from '../../registry/schemas/action.ts';
import type { InputFault } from '../../operation/problem.ts';
import type { Registry } from '../../site/registry.ts';
import { isObject } from '../../site/json-object.ts';
import { formatPointer } from '../../operation/json-pointer.ts';
import { fill } from '../../text/fill.ts';
import { storefrontName } from '../../text/index.ts';

/** Characters that look like a letter, by that letter; lowercase and without accents. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ@4',
  b: 'вβʙьƅ8',
  c: 'сϲᴄ',
  d: 'ԁᴅ',
  e: 'еεєɛᴇ3',
  g: 'ɡɢ',
  h: 'нһʜ',
  j: 'јϳᴊ',
  k: 'кκᴋ',
  l: 'i1|!ıɩɪιіӏʟⅼ',
  m: 'мᴍ',
  n: 'пηɴ',
  o: '0оοσօᴏ',
  p: 'рρᴘ',
  r: 'гʀ',
  s: 'ѕꜱ5$',
  t: 'тτᴛ7',
  u: 'υսᴜ',
  v: 'νѵᴠ',
  w: 'ѡωԝᴡ',
  x: 'хχ',
  y: 'уүγʏ',
  z: 'ᴢ2',
};

const letterByLookalike = new Map(
  Object.entries(LOOKALIKES).flatMap(([letter, others]) =>
    Array.from(others, (other) => [other, letter] as const),
  ),
);

/** Text as it looks at a glance: names that look alike become identical. */
function normalizeLookalikes(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return Array.from(letters, (character) => letterByLookalike.get(character) ?? character)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Common words at the end of company names. */
const COMMON_ENDINGS = new Set(
  'co company corp corporation group holdings inc incorporated limited llc ltd service services'
    .split(' ')
    .map((word) => normalizeLookalikes(word)),
);

const WORD_SEPARATOR_PATTERN = /[^\p{L}\p{M}\p{N}|!@$]+/u;

/** The words of a name, also split at capital letters, reduced to how they look at a glance. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(WORD_SEPARATOR_PATTERN)
    .map(normalizeLookalikes)
    .filter(Boolean);

/** The words of a company's name without its usual endings. */
function companyWordsOf(name: string): string[] {
  const words = wordsOf(name);
  while (words.length > 1 && COMMON_ENDINGS.has(words.at(-1)!)) words.pop();
  return words;
}

const readCompany = (name: string): string => companyWordsOf(name).join('');

/** Whether consecutive words, joined, are equal to `text`. */
const containsJoinedWords = (words: readonly string[], text: string): boolean =>
  words.some((_, start) => {
    let joined = '';
    for (let end = start; joined.length < text.length && end < words.length; end++)
      joined += words[end]!;
    return joined === text;
  });

/** A name as it looks at a glance. */
interface ReadName {
  /** Without the usual endings of company names. */
  company: string;
  /** All its words. */
  words: string[];
  /** For each part between spaces, its words split at capital letters. */
  parts: string[][];
}

const readName = (name: string): ReadName => ({
  company: readCompany(name),
  words: wordsOf(name),
  parts: name.normalize('NFKC').split(WORD_SEPARATOR_PATTERN).map(wordsOf),
});

/**
 * Whether part of a name looks like `reservedName` or its plural. Words separated by spaces are
 * joined only if there are as many as in `reservedName`, or if they are the whole name: “Tampa Bay
 * Line Dancing” does not contain “Bayline”, but “Bay Line LLC” and “BayLine Dancing” do.
 */
function containsName({ company, words, parts }: ReadName, reservedName: string): boolean {
  const reservedWords = companyWordsOf(reservedName);
  const reserved = reservedWords.join('');
  return (
    reserved !== '' &&
    [reserved, `${reserved}s`].some(
      (text) =>
        company === text ||
        words.some(
          (_, start) => words.slice(start, start + reservedWords.length).join('') === text,
        ) ||
        parts.some((part) => containsJoinedWords(part, text)),
    )
  );
}

/** Whether a name looks like the name of the network, its operator or one of its services. */
function isReserved(
  name: string,
  { network, subsites }: Pick<Registry, 'network' | 'subsites'>,
): boolean {
  const read = readName(name);
  return (
    [network.name, network.organization.name].some((reserved) => containsName(read, reserved)) ||
    // Titles such as Billing are common words, so other names may contain them.
    subsites.some(({ title }) => readCompany(title) === read.company)
  );
}

/**
 * Errors for a storefront whose name contains the name of the network or its operator, or equals
 * that of a service, even in look-alike letters, because its preview page is public before anyone
 * has checked it. A name that is among the `fieldFaults` is not examined, because it can have any
 * length.
 */
export function findReservedNameFaults(
  { effect }: Pick<Action, 'effect'>,
  fields: unknown,
  registry: Pick<Registry, 'network' | 'subsites'>,
  fieldsPath: readonly string[],
  fieldFaults: readonly InputFault[],
): InputFault[] {
  if (effect?.kind !== 'storefront' || !isObject(fields)) return [];
  const pointer = formatPointer(...fieldsPath, effect.nameField);
  const name = fields[effect.nameField];
  if (
    typeof name !== 'string' ||
    fieldFaults.some((fault) => fault.pointer === pointer) ||
    !isReserved(name, registry)
  )
    return [];
  const { phone, email } = registry.network.organization;
  return [{ pointer, message: fill(storefrontName.reserved, { phone, email }) }];
}
