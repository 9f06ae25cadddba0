import { termsOf } from './terms.ts';

/** Adds what people also say: the other members of each group of synonyms of which a text has one. */
export type Synonyms = (text: string) => string;

/** A phrase as a text in which it can be looked for: its terms, each between spaces. */
const spaced = (text: string): string => ` ${termsOf(text).join(' ')} `;

/** Makes the lookup of groups of words and phrases that mean the same. */
export function synonymsOf(groups: readonly (readonly string[])[]): Synonyms {
  const known = groups.map((members) => ({
    members,
    phrases: members.map(spaced).filter((phrase) => phrase.trim()),
  }));
  return (text) => {
    const terms = spaced(text);
    return known
      .filter(({ phrases }) => phrases.some((phrase) => terms.includes(phrase)))
      .flatMap(({ members }) => members)
      .join(' ');
  };
}
