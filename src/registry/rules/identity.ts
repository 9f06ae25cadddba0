import { isPublishedAsSkill } from '../../site/registry.ts';
import type { Rule } from './rule.ts';

/** Names and labels must be unique. */
export const identityRules: Rule[] = [
  {
    name: 'unique-lead-source',
    description: 'No two subsites share a leadSource.',
    *check({ subsites }) {
      // A subsite named like the label keeps it; the fault is at the record that copied it.
      const named = subsites.filter(({ name, leadSource }) => name === leadSource);
      const first = new Map(named.map(({ name }) => [name, name]));
      for (const { name, leadSource } of subsites) {
        const owner = first.get(leadSource);
        if (owner === name) continue;
        if (owner)
          yield {
            record: `subsites/${name}`,
            path: ['leadSource'],
            problem: `is also the leadSource of ${owner}. Choose one that no other subsite uses.`,
          };
        else first.set(leadSource, name);
      }
    },
  },
  {
    name: 'unique-rank',
    description: 'No two subsites in a category have the same rank.',
    *check({ subsites }) {
      const first = new Map<string, string>();
      for (const { name, category, rank } of subsites) {
        if (rank === undefined) continue;
        const place = `${category} ${rank}`;
        const owner = first.get(place);
        if (owner)
          yield {
            record: `subsites/${name}`,
            path: ['rank'],
            problem: `is also the rank of ${owner}. Choose a number that no other subsite in the category has.`,
          };
        else first.set(place, name);
      }
    },
  },
  {
    name: 'unique-verb',
    description: 'The verbs of a subsite are unique.',
    *check({ subsites }) {
      for (const { name, actions } of subsites)
        for (const [index, { verb }] of actions.entries())
          if (actions.findIndex((other) => other.verb === verb) < index)
            yield {
              record: `subsites/${name}`,
              path: ['actions', index, 'verb'],
              problem: 'is repeated in this record. Remove the duplicate.',
            };
    },
  },
  {
    name: 'unique-item',
    description: 'The item IDs in a catalog are unique.',
    *check({ catalogs }) {
      for (const [name, { items }] of Object.entries(catalogs)) {
        const seen = new Set<string>();
        for (const [index, { id }] of items.entries()) {
          if (seen.has(id))
            yield {
              record: `catalog/${name}`,
              path: ['items', index, 'id'],
              problem: 'is repeated in this catalog. Rename one of the items.',
            };
          seen.add(id);
        }
      }
    },
  },
  {
    name: 'unique-skill',
    description:
      'Skill names are unique, including those of public subsites with a guide, which are also skills.',
    *check({ network: { skills = [] }, subsites }) {
      const namesInUse = new Map(
        subsites
          .filter(isPublishedAsSkill)
          .map(({ name }) => [name, 'a public subsite with a guide']),
      );
      for (const [index, { name }] of skills.entries()) {
        const owner = namesInUse.get(name);
        if (owner)
          yield {
            record: 'network/network',
            path: ['skills', index, 'name'],
            problem: `is also the name of ${owner}, and both are published as skills. Choose another.`,
          };
        namesInUse.set(name, 'another skill');
      }
    },
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
          const owner = owners.get(word.toLowerCase());
          if (owner)
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
    *check({ links }) {
      for (const [index, { slug }] of links.entries())
        if (links.findIndex((other) => other.slug === slug) < index)
          yield {
            record: 'links/links',
            path: [index, 'slug'],
            problem: 'is repeated. Rename one of the links.',
          };
    },
  },
];
