import type { Breach, Records, Rule } from './rule.ts';

function* repeated({ subsites }: Records, part: 'url' | 'leadSource'): Generator<Breach> {
  const first = new Map<string, string>();
  for (const subsite of subsites) {
    const owner = first.get(subsite[part]);
    if (owner) yield { record: `subsites/${subsite.name}`, path: [part], problem: `is the ${part} of ${owner} too. Choose one that no other subsite has.` };
    else first.set(subsite[part], subsite.name);
  }
}

const RESERVED = ['api', 's', 'receipt', 'biz', 'problems', 'answer', 'inbox', 'a2a', 'healthz', '_astro', '.well-known'];

/** Who is who: names, addresses and labels that must be unique. */
export const identityRules: Rule[] = [
  {
    name: 'unique-url',
    description: 'No two subsites share a url.',
    check: (records) => repeated(records, 'url'),
  },
  {
    name: 'unique-lead-source',
    description: 'No two subsites share a leadSource.',
    check: (records) => repeated(records, 'leadSource'),
  },
  {
    name: 'reserved-url',
    description: 'No subsite stands where the service itself answers.',
    *check({ subsites }) {
      for (const { name, url } of subsites)
        if (RESERVED.includes(url.split('/')[1]!)) yield { record: `subsites/${name}`, path: ['url'], problem: `begins with a segment that the service answers itself (${RESERVED.join(', ')}). Choose another.` };
    },
  },
  {
    name: 'unique-verb',
    description: 'A subsite has each verb once.',
    *check({ subsites }) {
      for (const { name, actions } of subsites)
        for (const [index, { verb }] of actions.entries())
          if (actions.findIndex((other) => other.verb === verb) < index) yield { record: `subsites/${name}`, path: ['actions', index, 'verb'], problem: 'stands twice in this record. Keep one.' };
    },
  },
  {
    name: 'unique-item',
    description: 'A catalog has each id once.',
    *check({ catalogs }) {
      for (const [name, { items }] of Object.entries(catalogs)) {
        const seen = new Set<string>();
        for (const [index, { id }] of items.entries()) {
          if (seen.has(id)) yield { record: `catalog/${name}`, path: ['items', index, 'id'], problem: 'stands twice in this catalog. Rename one.' };
          seen.add(id);
        }
      }
    },
  },
  {
    name: 'unique-skill',
    description: 'No skill of the network has the name of another, or of a public subsite, which is a skill itself.',
    *check({ network: { skills = [] }, subsites }) {
      const taken = new Map(subsites.filter(({ status }) => status === 'public').map(({ name }) => [name, 'a public subsite']));
      for (const [index, { name }] of skills.entries()) {
        const owner = taken.get(name);
        if (owner) yield { record: 'network/network', path: ['skills', index, 'name'], problem: `is the name of ${owner} too, and both are published as skills. Choose another.` };
        taken.set(name, 'another skill');
      }
    },
  },
  {
    name: 'unique-link',
    description: 'Each short link and each capability id stands once.',
    *check({ links, capabilities }) {
      for (const [index, { slug }] of links.entries())
        if (links.findIndex((other) => other.slug === slug) < index) yield { record: 'links/links', path: [index, 'slug'], problem: 'stands twice. Rename one.' };
      for (const [index, { id }] of capabilities.entries())
        if (capabilities.findIndex((other) => other.id === id) < index) yield { record: 'capabilities/capabilities', path: [index, 'id'], problem: 'stands twice. Rename one.' };
    },
  },
];
