import { isPublishedAsSkill } from '../../site/registry.ts';
import { expandAlternatives } from '../../site/words/expand-alternatives.ts';
import { duplicateViolations, sortOwnersFirst } from './duplicates.ts';
import type { Rule } from './rule.ts';

export const identityRules: Rule[] = [
  {
    name: 'unique-lead-source',
    description: 'No two subsites share a leadSource.',
    check: ({ subsites }) =>
      duplicateViolations(
        // A subsite whose name matches the label keeps the label; the fault is in the record that
        // copied it.
        sortOwnersFirst(subsites, ({ name, leadSource }) => name === leadSource).map(
          ({ name, leadSource }) => ({
            record: `subsites/${name}`,
            path: ['leadSource'],
            value: leadSource,
            name,
          }),
        ),
        ({ name }) => `is also the leadSource of ${name}. Choose one that no other subsite uses.`,
      ),
  },
  {
    name: 'unique-rank',
    description: 'No two subsites in a category have the same rank.',
    check: ({ subsites }) =>
      duplicateViolations(
        subsites
          .filter(({ rank }) => rank !== undefined)
          .map(({ name, category, rank }) => ({
            record: `subsites/${name}`,
            path: ['rank'],
            value: `${category} ${rank}`,
            name,
          })),
        ({ name }) =>
          `is also the rank of ${name}. Choose a number that no other subsite in the category has.`,
      ),
  },
  {
    name: 'unique-verb',
    description: 'The verbs of a subsite are unique.',
    *check({ subsites }) {
      for (const { name, actions } of subsites)
        yield* duplicateViolations(
          actions.map(({ verb }, index) => ({
            record: `subsites/${name}`,
            path: ['actions', index, 'verb'],
            value: verb,
          })),
          () => 'is repeated in this record. Remove the duplicate.',
        );
    },
  },
  {
    name: 'unique-item',
    description: 'The item IDs in a catalog are unique.',
    *check({ catalogs }) {
      for (const [name, { items }] of Object.entries(catalogs))
        yield* duplicateViolations(
          items.map(({ id }, index) => ({
            record: `catalog/${name}`,
            path: ['items', index, 'id'],
            value: id,
          })),
          () => 'is repeated in this catalog. Rename one of the items.',
        );
    },
  },
  {
    name: 'unique-skill',
    description:
      'Skill names are unique, including those of public subsites with a guide, which are also skills.',
    check: ({ network: { skills = [] }, subsites }) =>
      duplicateViolations(
        [
          ...subsites.filter(isPublishedAsSkill).map(({ name }) => ({
            record: `subsites/${name}`,
            path: ['guide'],
            value: name,
            owner: 'a public subsite with a guide',
          })),
          ...skills.map(({ name }, index) => ({
            record: 'network/network',
            path: ['skills', index, 'name'],
            value: name,
            owner: 'another skill',
          })),
        ],
        ({ owner }) =>
          `is also the name of ${owner}, and both are published as skills. Choose another.`,
      ),
  },
  {
    name: 'not-offered',
    description: 'A service that the network does not offer is not a keyword of a subsite.',
    *check({ network: { search }, subsites }) {
      const owners = new Map(
        subsites.flatMap(({ name, keywords = [] }) =>
          keywords.map((keyword) => [keyword.toLowerCase(), name] as const),
        ),
      );
      for (const [index, { words }] of (search?.notOffered ?? []).entries())
        for (const [wordIndex, word] of words.entries()) {
          const owner = expandAlternatives(word.toLowerCase())
            .map((phrase) => owners.get(phrase))
            .find((found) => found !== undefined);
          if (owner !== undefined)
            yield {
              record: 'network/network',
              path: ['search', 'notOffered', index, 'words', wordIndex],
              problem: `is a keyword of ${owner}, which offers the service. Remove it from one of the two.`,
            };
        }
    },
  },
  {
    name: 'unique-link',
    description: 'Short links are unique.',
    check: ({ links }) =>
      duplicateViolations(
        links.map(({ slug }, index) => ({
          record: 'links/links',
          path: [index, 'slug'],
          value: slug,
        })),
        () => 'is repeated. Rename one of the links.',
      ),
  },
];
