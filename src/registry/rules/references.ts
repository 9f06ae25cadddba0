import { editDistance, findNearest } from '../../site/corrections/similar-names.ts';
import { findSubsite, listInfoTools, SHARED_LEAD_ENDPOINTS } from '../../site/registry.ts';
import type { UnreadableRecords } from '../unreadable-records.ts';
import { type CreateViolation, eachAction, createViolationFactory } from './places.ts';
import type { Violation, Records, Rule } from './rule.ts';

/** Tools that every network has because agents need a directory. */
export const NETWORK_TOOLS = ['get_subsite_info', 'list_subsites'] as const;

const suggestName = (word: string, known: readonly string[]) => {
  const guess = findNearest(word, known);
  return guess ? `Did you mean ${guess}?` : `Known: ${known.join(', ') || 'none'}.`;
};

/** Finds the shared lead endpoint that a path is identical to or a misspelling of. */
export const findIntendedLeadEndpoint = (path: string): string | undefined =>
  SHARED_LEAD_ENDPOINTS.find((endpoint) => editDistance(path, endpoint) <= 2);

/** Yields a violation if there is no subsite with this name. */
function* findUnknownSubsite(
  records: Records,
  unreadable: UnreadableRecords,
  name: string,
  fault: CreateViolation,
  removal: string,
): Generator<Violation> {
  if (unreadable.hasRecord(`subsites/${name}`) || findSubsite(records, name)) return;
  const names = [
    ...records.subsites.map((subsite) => subsite.name),
    ...unreadable.subsiteNames,
  ].sort();
  yield fault(`“${name}” does not name a subsite. ${suggestName(name, names)} ${removal}`);
}

const takesRequests = ({ actions, contactForm }: Records['subsites'][number]): boolean =>
  actions.length > 0 || contactForm !== undefined;

/** Tells how to remove a name from a list, or `owner` if the list would become empty. */
const describeNameRemoval = (names: readonly string[], owner: string) =>
  names.length > 1 ? 'Or remove this name.' : `Or remove ${owner}.`;

export const referenceRules: Rule[] = [
  {
    name: 'catalog-of-subsite',
    description: 'Each catalog and each responsiveness figure belongs to a subsite.',
    *check(records, unreadable) {
      for (const name of Object.keys(records.catalogs)) {
        const fault = createViolationFactory(`catalog/${name}`);
        yield* findUnknownSubsite(records, unreadable, name, fault, 'Or remove this file.');
      }
      for (const name of Object.keys(records.responsiveness)) {
        const fault = createViolationFactory('responsiveness/responsiveness', name);
        yield* findUnknownSubsite(records, unreadable, name, fault, 'Or remove this key.');
      }
    },
  },
  {
    name: 'known-tool',
    description:
      'Each MCP tool that a record names is defined once, by a record or by the network.',
    *check(records, unreadable) {
      const known = [...NETWORK_TOOLS, ...listInfoTools(records).map((tool) => tool.name)];
      for (const subsite of records.subsites) {
        const fault = createViolationFactory(`subsites/${subsite.name}`);
        for (const [index, tool] of subsite.mcpTools.entries())
          if (!known.includes(tool) && !unreadable.mayDefineTool(tool))
            yield fault(`is defined by no record’s infoTools. ${suggestName(tool, known)}`, [
              'mcpTools',
              index,
            ]);
        for (const [index, tool] of (subsite.infoTools ?? []).entries())
          if (known.filter((name) => name === tool.name).length > 1)
            yield fault('is defined more than once in the network. Keep one definition.', [
              'infoTools',
              index,
              'name',
            ]);
      }
    },
  },
  {
    name: 'tool-answers-for',
    description:
      'Each subsite that an information tool covers exists and, if the tool shows items, has a catalog.',
    *check(records, unreadable) {
      for (const { name: owner, infoTools = [] } of records.subsites)
        for (const [tool, { of, shows }] of infoTools.entries())
          for (const [index, name] of of.entries()) {
            const fault = createViolationFactory(
              `subsites/${owner}`,
              'infoTools',
              tool,
              'of',
              index,
            );
            const removal = describeNameRemoval(of, 'this tool');
            yield* findUnknownSubsite(records, unreadable, name, fault, removal);
            const hasCatalog = records.catalogs[name] ?? unreadable.hasRecord(`catalog/${name}`);
            if (findSubsite(records, name) && shows !== 'subsites' && !hasCatalog)
              yield fault(
                `has no catalog to show. Add catalog/${name}.yaml or choose shows: subsites.`,
              );
          }
    },
  },
  {
    name: 'instead-of-subsite',
    description: 'Each alternative to a service that the network does not offer is a subsite.',
    *check(records, unreadable) {
      for (const [index, { instead = [] }] of (records.network.search?.notOffered ?? []).entries())
        for (const [position, name] of instead.entries()) {
          const path = ['search', 'notOffered', index, 'instead', position];
          const fault = createViolationFactory('network/network', ...path);
          const removal = describeNameRemoval(instead, 'instead');
          yield* findUnknownSubsite(records, unreadable, name, fault, removal);
        }
    },
  },
  {
    name: 'alternative-takes-requests',
    description: 'Alternatives to a subsite are other public subsites that take requests.',
    *check(records, unreadable) {
      for (const { name, alternatives = [] } of records.subsites)
        for (const [index, other] of alternatives.entries()) {
          const fault = createViolationFactory(`subsites/${name}`, 'alternatives', index);
          const removal = describeNameRemoval(alternatives, 'alternatives');
          yield* findUnknownSubsite(records, unreadable, other, fault, removal);
          const subsite = findSubsite(records, other);
          if (other === name)
            yield fault('is this subsite. Name a different subsite or remove it.');
          else if (subsite && (subsite.status !== 'public' || !takesRequests(subsite)))
            yield fault(
              'takes no requests without an account. Name a different subsite or remove it.',
            );
        }
    },
  },
  {
    name: 'listed-service-takes-requests',
    description: 'A form lists only subsites that take requests.',
    *check(records, unreadable) {
      for (const { action, fault } of eachAction(records))
        for (const [field, { services }] of Object.entries(action.fields)) {
          if (!services) continue;
          const path = ['fields', field, 'services'];
          yield* findUnknownSubsite(
            records,
            unreadable,
            services.unsure,
            (problem) => fault(problem, [...path, 'unsure']),
            'Or remove services.',
          );
          for (const [group, names] of Object.entries(services.groups))
            for (const [index, name] of names.entries()) {
              const faultOfName: CreateViolation = (problem) =>
                fault(problem, [...path, 'groups', group, index]);
              const removal = describeNameRemoval(names, 'this group');
              yield* findUnknownSubsite(records, unreadable, name, faultOfName, removal);
              const subsite = findSubsite(records, name);
              if (subsite && !takesRequests(subsite))
                yield faultOfName('takes no requests. Name a different subsite or remove it.');
            }
        }
    },
  },
  {
    name: 'item-of-catalog',
    description:
      'A field that names an item belongs to a subsite with a catalog, and its example is an item in that catalog.',
    *check(records, unreadable) {
      for (const { subsite, action, fault } of eachAction(records)) {
        const { name } = subsite;
        if (unreadable.hasRecord(`catalog/${name}`)) continue;
        const { items } = records.catalogs[name] ?? {};
        for (const [field, { item, example }] of Object.entries(action.fields))
          if (item && !items)
            yield fault(
              `has no catalog to choose from. Add catalog/${name}.yaml or remove this key.`,
              ['fields', field, 'item'],
            );
          else if (item && example !== undefined && !items?.some(({ id }) => id === example))
            yield fault(`is not an item in catalog/${name}.yaml. Use the ID of an item.`, [
              'fields',
              field,
              'example',
            ]);
      }
    },
  },
  {
    name: 'lead-endpoint',
    description: 'A lead endpoint is shared or belongs to a subsite with at most one action.',
    *check({ subsites }) {
      for (const { name, leadEndpoint, actions } of subsites) {
        if (SHARED_LEAD_ENDPOINTS.includes(leadEndpoint)) continue;
        const fault = createViolationFactory(`subsites/${name}`, 'leadEndpoint');
        const endpoint = findIntendedLeadEndpoint(leadEndpoint);
        if (endpoint !== undefined)
          yield fault(`looks like a misspelling of ${endpoint}. Use ${endpoint}.`);
        if (!leadEndpoint.startsWith('/api/'))
          yield fault(
            `is not under /api/. Use ${SHARED_LEAD_ENDPOINTS.join(', ')} or a separate path under /api/.`,
          );
        if (actions.length > 1)
          yield fault(
            'is dedicated, but this subsite has more than one action. Use /api/lead/action.',
          );
      }
    },
  },
  {
    name: 'snapshots-listed',
    description: 'jsonEndpoints and snapshots name the same paths, all under /api/.',
    *check({ subsites }) {
      for (const { name, jsonEndpoints, snapshots = [] } of subsites) {
        const fault = createViolationFactory(`subsites/${name}`);
        for (const [index, path] of jsonEndpoints.entries())
          if (!snapshots.some((snapshot) => snapshot.path === path))
            yield fault(
              'has no snapshot in this record. Add it under snapshots or remove the path.',
              ['jsonEndpoints', index],
            );
        for (const [index, { path }] of snapshots.entries()) {
          const place = ['snapshots', index, 'path'];
          if (!jsonEndpoints.includes(path))
            yield fault('is missing from jsonEndpoints. List it there.', place);
          if (!path.startsWith('/api/')) yield fault('is not under /api/. Move it there.', place);
        }
      }
    },
  },
  {
    name: 'capability-offer',
    description:
      'A subsite in the capability catalog has facts for its help and steps for its guide.',
    *check({ subsites }) {
      for (const { name, capabilities, facts, guide } of subsites) {
        if (!capabilities) continue;
        const fault = createViolationFactory(`subsites/${name}`, 'capabilities');
        if (!facts?.length)
          yield fault(
            'offers help without facts to answer from. Add facts or remove capabilities.',
          );
        if (!guide?.length)
          yield fault('offers a guide without steps. Add guide or remove capabilities.');
      }
    },
  },
  {
    name: 'discoverable',
    description:
      'A public subsite has questions that it answers so that agent catalogs can list it.',
    *check({ subsites }) {
      for (const { name, status, questions } of subsites)
        if (status === 'public' && !questions)
          yield {
            record: `subsites/${name}`,
            path: ['questions'],
            problem: 'is missing from a public subsite. Add two to five questions that it answers.',
          };
    },
  },
];
