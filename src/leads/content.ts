import type { Field } from '../fields/fields.ts';
import type { Registry } from '../site/registry.ts';
import { suggestion } from '../operation/validate.ts';

type Content = NonNullable<Field['content']>;

/** One thing that a storefront sells. `priceCents` is null where no price was named. */
export interface Offering {
  name: string;
  desc: string;
  priceCents: number | null;
  kind: 'one_time' | 'monthly';
  /** Present where the service wrote it as an example, because the owner named none. */
  seeded?: true;
}

/** What a text with this content must be, in one sentence. */
export function textOfContent(content: Content): string {
  switch (content.kind) {
    case 'subsite':
      return 'Write the name of a subsite, as in the agent index.';
    case 'codes':
      return `Write codes with commas between, from: ${content.codes.join(', ')}.`;
    case 'offerings':
      return `Write a JSON array of 1 to ${content.max} objects with name, desc, priceCents and kind (one_time or monthly).`;
    default:
      return content satisfies never;
  }
}

/** Codes of a comma-separated list; white space around them does not count. */
const readCodes = (text: string): string[] =>
  text
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean);

const within = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= max;

function offeringFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'is not an object';
  const { name, desc, priceCents, kind, ...more } = value as Record<string, unknown>;
  if (!within(name, 80)) return 'needs a name of at most 80 characters';
  if (desc !== undefined && !(typeof desc === 'string' && desc.length <= 500))
    return 'has a desc that is no text of at most 500 characters';
  if (!(
    Number.isSafeInteger(priceCents) &&
    (priceCents as number) >= 0 &&
    (priceCents as number) <= 100_000_000
  ))
    return 'needs priceCents, a whole number of cents from 0 to 100000000';
  if (kind !== 'one_time' && kind !== 'monthly') return 'needs a kind, one_time or monthly';
  if (Object.keys(more).length) return 'has a name beside name, desc, priceCents and kind';
  return undefined;
}

function parseArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An offering as an owner writes it; the description may be left out. */
type Written = Omit<Offering, 'desc'> & Partial<Pick<Offering, 'desc'>>;

/** The offerings of a text that `checkContent` found sound; empty for a blank text. */
export const readOfferings = (text: string | undefined): Offering[] =>
  ((parseArray(text ?? '') as Written[] | undefined) ?? []).map(
    ({ name, desc = '', priceCents, kind }) => ({ name, desc, priceCents, kind }),
  );

/** What is wrong inside a text, or undefined; in full sentences that never repeat the text. */
export function checkContent(
  content: Content,
  text: string,
  registry: Registry,
): string | undefined {
  switch (content.kind) {
    case 'subsite': {
      const names = registry.subsites.map((subsite) => subsite.name);
      return names.includes(text)
        ? undefined
        : `${textOfContent(content)}${suggestion(text, names)}`;
    }
    case 'codes': {
      const codes = readCodes(text);
      return codes.length && codes.every((code) => content.codes.includes(code))
        ? undefined
        : textOfContent(content);
    }
    case 'offerings': {
      const offerings = parseArray(text);
      if (!offerings || offerings.length < 1 || offerings.length > content.max)
        return textOfContent(content);
      const faults = offerings.flatMap(
        (offering, index) => offeringFault(offering)?.replace(/^/, `Offering ${index + 1} `) ?? [],
      );
      return faults.length ? `${faults.join('; ')}.` : undefined;
    }
    default:
      return content satisfies never;
  }
}
