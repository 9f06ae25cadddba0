import type { Action } from '../../registry/action.ts';
import type { InputFault } from '../../operation/problem.ts';
import type { Registry } from '../../site/registry.ts';
import { isObject } from '../../site/json-object.ts';
import { formatPointer } from '../../operation/json-pointer.ts';
import { fill } from '../../text/fill.ts';
import { storefrontName } from '../../text/index.ts';

/** Letters that look like another one, in lowercase without accents, by what they look like. */
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

const readings = new Map(
  Object.entries(LOOKALIKES).flatMap(([letter, others]) =>
    Array.from(others, (other) => [other, letter] as const),
  ),
);

/** A text as it reads at a glance: names that look alike become equal. */
function readAtGlance(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return Array.from(letters, (character) => readings.get(character) ?? character)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Words at the end of a company's name that many companies use. */
const COMMON_ENDINGS = new Set(
  'co company corp corporation group holdings inc incorporated limited llc ltd service services'
    .split(' ')
    .map((word) => readAtGlance(word)),
);

/** The words of a name, also those that only capitals separate, as they read at a glance. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{M}\p{N}|!@$]+/u)
    .map(readAtGlance)
    .filter(Boolean);

/** The words of a company's name without its usual endings, joined. */
function readCompany(name: string): string {
  const words = wordsOf(name);
  while (words.length > 1 && COMMON_ENDINGS.has(words.at(-1)!)) words.pop();
  return words.join('');
}

/** Whether words next to each other read as `reserved` or its plural. */
const readsAsPart = (words: readonly string[], reserved: string): boolean =>
  reserved !== '' &&
  words.some((_, start) => {
    let part = '';
    for (let end = start; end < words.length && part.length <= reserved.length; end++) {
      part += words[end]!;
      if (part === reserved || part === `${reserved}s`) return true;
    }
    return false;
  });

/** The name of the network, its operator or one of its services that a name reads as, if any. */
const findReservedName = (
  name: string,
  { network, subsites }: Pick<Registry, 'network' | 'subsites'>,
): string | undefined => {
  const words = wordsOf(name);
  return (
    [network.name, network.organization.name].find((reserved) =>
      readsAsPart(words, readCompany(reserved)),
    ) ??
    // Titles such as Billing are common words, so other names may contain them.
    subsites.find(({ title }) => readCompany(title) === readCompany(name))?.title
  );
};

/**
 * Errors for a storefront whose name contains the name of the network or its operator, or is that
 * of a service, also in letters that look alike: its preview page is public before anyone has
 * checked it.
 */
export function findReservedNameFaults(
  { effect }: Pick<Action, 'effect'>,
  fields: unknown,
  registry: Pick<Registry, 'network' | 'subsites'>,
  fieldsPath: readonly string[],
): InputFault[] {
  if (effect?.kind !== 'storefront' || !isObject(fields)) return [];
  const name = fields[effect.nameField];
  if (typeof name !== 'string') return [];
  const reservedName = findReservedName(name, registry);
  const { phone, email } = registry.network.organization;
  return reservedName === undefined
    ? []
    : [
        {
          pointer: formatPointer(...fieldsPath, effect.nameField),
          message: fill(storefrontName.reserved, { name: reservedName, phone, email }),
        },
      ];
}
