import { termsOf } from './terms.ts';

/** Groups of words and phrases that mean the same thing, as the registry lists them. */
export type Synonyms = readonly (readonly string[])[];

/** A synonym group that has a member in the text. */
export interface SynonymMatch {
  /** Identifier shared by all members of the group. */
  token: string;
  terms: readonly string[];
}

/** Finds the synonym groups of terms, in the order of the terms. */
export type SynonymFinder = (terms: readonly string[]) => SynonymMatch[];

/** Indexes the members of groups by their first terms, then compares the rest. */
export function createSynonymFinder(groups: Synonyms): SynonymFinder {
  const meaningsByFirstTerm = new Map<string, SynonymMatch[]>();
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

export const tokensOf = (found: readonly SynonymMatch[]): string[] => [
  ...new Set(found.map(({ token }) => token)),
];
