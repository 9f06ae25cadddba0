import { termsOf } from './terms.ts';

/** Groups of words and phrases that mean the same, as the registry lists them. */
export type Synonyms = readonly (readonly string[])[];

/** A synonym group with a member in a text. */
export interface Meaning {
  /** Identifier shared by all members of the group. */
  token: string;
  /** Terms of the member in the text. */
  terms: readonly string[];
}

/** Finds the synonym groups of terms, in order. */
export type MeaningFinder = (terms: readonly string[]) => Meaning[];

/** Builds the lookup of groups: by the first term of each member, then by the rest. */
export function createMeaningFinder(groups: Synonyms): MeaningFinder {
  const meaningsByFirstTerm = new Map<string, Meaning[]>();
  for (const [number, group] of groups.entries())
    for (const member of group) {
      const terms = termsOf(member);
      const [first] = terms;
      if (first === undefined) continue;
      const relatedMeanings = meaningsByFirstTerm.get(first) ?? [];
      meaningsByFirstTerm.set(first, [...relatedMeanings, { token: `meaning${number}`, terms }]);
    }
  return (terms) =>
    terms.flatMap((term, index) =>
      (meaningsByFirstTerm.get(term) ?? []).filter((member) =>
        member.terms.every((other, ahead) => terms[index + ahead] === other),
      ),
    );
}

/** The distinct synonym group tokens of a text. */
export const tokensOf = (found: readonly Meaning[]): string[] => [
  ...new Set(found.map(({ token }) => token)),
];
