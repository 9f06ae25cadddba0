import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/operation/context.ts';
import { listOperations } from '../../src/http/operations.ts';
import type { Action } from '../../src/registry/schemas/action.ts';
import { digestContract } from '../../src/site/contract.ts';
import { findAction, findSubsite } from '../../src/site/registry.ts';
import type { Subsite } from '../../src/registry/schemas/subsite.ts';
import { main, networks } from './networks.ts';

const SAMPLE_REQUEST_PATTERN =
  /`POST (?:https:\/\/network\.example)?(\/[^`]+)` with `(\{[^`]*"action": "([^"]+)"[^`]*\})`/g;

const PERSON = { name: 'Dana Reyes', email: 'dana@example.com', phone: '(727) 555-0142' };

/** Field values of an action, as the record shows them. */
const fieldsOf = ({ fields }: Action): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { type, example }]) => [
      name,
      type === 'number' ? Number(example) : example,
    ]),
  );

describe.each(networks)('sample requests in the documents of $name', ({ site, documents }) => {
  const actions = site.registry.subsites.flatMap((subsite) =>
    subsite.actions.map((action) => ({ subsite, action })),
  );
  const samples = [...documents.values()].flatMap(({ path: document, body }) =>
    [...body.matchAll(SAMPLE_REQUEST_PATTERN)].map(([, path, text, verb]) => ({
      document,
      path: path!,
      text: text!,
      verb: verb!,
    })),
  );
  const accepted = new Set<string>();

  it.each(samples)(
    '$document: $verb is accepted as written once its ellipses are filled in',
    ({ path, text, verb }) => {
      const operation = listOperations(site).find(
        (candidate) => candidate.path === path && candidate.method === 'POST',
      )!;
      const { subsite, action } = actions.find(
        (each) =>
          each.action.verb === verb &&
          each.subsite.leadEndpoint === path &&
          (text.includes(`"${each.subsite.name}"`) ||
            text.includes(`"${each.subsite.leadSource}"`)),
      )!;
      const values: Record<string, unknown> = { ...PERSON, ...fieldsOf(action) };
      const filled = text.replace(
        /"(\w+)": …/g,
        (_, name: string) => `"${name}": ${JSON.stringify(values[name])}`,
      );
      const input = operation.parse(JSON.parse(filled), {
        site,
        now: () => new Date(),
      } as Context) as {
        subsite: string;
        action: string;
      };
      expect(input).toMatchObject({ subsite: subsite.name, action: verb });
      expect(findAction(findSubsite(site.registry, input.subsite)!, input.action)).toBe(action);
      accepted.add(`${subsite.name}.${verb}`);
    },
  );

  it('cover every action of the network', () => {
    expect([...accepted].sort()).toEqual(
      actions.map(({ subsite, action }) => `${subsite.name}.${action.verb}`).sort(),
    );
  });
});

/**
 * Skills that explain requests in general. Each line shows a body and states which records it
 * applies to.
 */
const skillsWithBodies = main.site.registry.network.skills
  .map(({ name }) => ({ name, text: main.text(`/.well-known/agent-skills/${name}/SKILL.md`) }))
  .filter(({ text }) => text.includes('`leadEndpoint`'));

describe.each(skillsWithBodies)('the skill $name', ({ text }) => {
  const { site } = main;
  const lines = text.split('\n').filter((line) => /`\{"/.test(line) && line.includes('…'));
  const records = site.registry.subsites.flatMap((subsite) =>
    subsite.actions.length
      ? subsite.actions.map((action) => ({
          name: `${subsite.name}.${action.verb}`,
          subsite,
          action,
        }))
      : [{ name: subsite.name, subsite, action: undefined as Action | undefined }],
  );

  /** Only this line applies to a single record. */
  function findBodyTemplate({ leadEndpoint, actions }: Subsite): string {
    const matchingLines = lines.filter((line) =>
      actions.length
        ? line.includes('With actions') &&
          line.includes('`/api/email-capture`') === (leadEndpoint === '/api/email-capture')
        : line.includes('Without `actions`'),
    );
    expect(matchingLines.length).toBe(1);
    return /`(\{".*\})`/.exec(matchingLines[0]!)![1]!;
  }

  it.each(records)('shows how to send a valid request for $name', ({ subsite, action }) => {
    const fields = action ? fieldsOf(action) : {};
    const members = JSON.stringify(fields).slice(1, -1);
    const values: Record<string, unknown> = {
      ...PERSON,
      subsite: subsite.name,
      action: action?.verb,
      contract: action && digestContract(subsite, action),
      source: subsite.leadSource,
    };
    const filled = findBodyTemplate(subsite)
      .replace('{…}', `{${members}}`)
      .replace(', …}', members ? `, ${members}}` : '}')
      .replace(/"(\w+)": …/g, (_, name: string) => `"${name}": ${JSON.stringify(values[name])}`);
    const operation = listOperations(site).find(
      ({ path, method }) => path === subsite.leadEndpoint && method === 'POST',
    )!;
    const input = operation.parse(JSON.parse(filled), { site, now: () => new Date() } as Context);
    expect(input).toMatchObject({
      subsite: subsite.name,
      action: action?.verb ?? null,
      contact: { email: PERSON.email },
    });
    if (action)
      expect(Object.keys((input as { fields: object }).fields).sort()).toEqual(
        Object.keys(fields).sort(),
      );
  });
});

it('a network skill shows how to send a request', () =>
  expect(skillsWithBodies.length).toBeGreaterThan(0));
