import { describe, expect, it } from 'vitest';
import { type Context, operations } from '../../src/operations/index.ts';
import { findAction, findSubsite } from '../../src/registry/index.ts';
import { networks } from './networks.ts';

const WRITTEN = /`POST (?:https:\/\/network\.example)?(\/[^`]+)` with `(\{[^`]*"action": "([^"]+)"[^`]*\})`/g;

describe.each(networks)('requests that documents of $name write out', ({ site, documents }) => {
  const actions = site.registry.subsites.flatMap((subsite) => subsite.actions.map((action) => ({ subsite, action })));
  const written = [...documents.values()].flatMap(({ path: document, body }) => [...body.matchAll(WRITTEN)].map(([, path, text, verb]) => ({ document, path: path!, text: text!, verb: verb! })));
  const accepted = new Set<string>();

  it.each(written)('$document: $verb is taken as it stands, with its dots filled in', ({ path, text, verb }) => {
    const operation = operations(site).find((candidate) => candidate.path === path && candidate.method === 'POST')!;
    const { subsite, action } = actions.find((each) => each.action.verb === verb && each.subsite.leadEndpoint === path && (text.includes(`"${each.subsite.name}"`) || text.includes(`"${each.subsite.leadSource}"`)))!;
    const values: Record<string, unknown> = { email: 'dana@example.com', name: 'Dana Reyes' };
    for (const [name, { type, example }] of Object.entries(action.fields)) values[name] = type === 'number' ? Number(example) : example;
    const filled = text.replace(/"(\w+)": …/g, (_, name: string) => `"${name}": ${JSON.stringify(values[name])}`);
    const input = operation.parse(JSON.parse(filled), { site } as Context) as { subsite: string; action: string };
    expect(input).toMatchObject({ subsite: subsite.name, action: verb });
    expect(findAction(findSubsite(site.registry, input.subsite)!, input.action)).toBe(action);
    accepted.add(`${subsite.name}.${verb}`);
  });

  it('name every action of the network', () => {
    expect([...accepted].sort()).toEqual(actions.map(({ subsite, action }) => `${subsite.name}.${action.verb}`).sort());
  });
});
