import { expect, it } from 'vitest';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { createSearchCapabilitiesTool } from '../../src/mcp/catalog-tools.ts';
import { searchForNeed } from '../../src/search/knowledge.ts';
import { isOffered } from '../../src/site/capability-record.ts';
import { sites } from '../operations/setup/fixture.ts';
import { readQuestions, sets } from './evaluation.ts';

/** Minimum share of needs whose first capability belongs to the right service. */
const MIN_SHARE = 0.95;

const { site } = sites[0]!;
const catalog = capabilityCatalogOf(site);
const tool = createSearchCapabilitiesTool({ site, now: () => new Date() }, () => true);

/** The first result of search_capabilities for a need. */
async function findFirst(query: string): Promise<string | undefined> {
  const { structured } = await tool.call({ query }, {});
  return (structured as { capabilities: { id: string }[] }).capabilities[0]?.id;
}

it('search_capabilities lists the right service first, if it has capabilities', async () => {
  const subsitesWithCapabilities = new Set([...catalog.values()].map(({ subsite }) => subsite));
  const needs = sets
    .flatMap(readQuestions)
    .filter(
      ({ kind, expected }) =>
        kind === 'service' && expected.some((one) => subsitesWithCapabilities.has(one)),
    );
  const misses: string[] = [];
  for (const { question, expected } of needs) {
    const first = await findFirst(question);
    if (!expected.includes(catalog.get(first ?? '')?.subsite ?? '')) misses.push(question);
  }
  expect(needs.length).toBeGreaterThan(30);
  expect(1 - misses.length / needs.length, misses.join('\n')).toBeGreaterThanOrEqual(MIN_SHARE);
});

it.each([
  ['sell grandmother’s furniture', 'estate.request_estate_consult'],
  ['my AC is broken', 'hvac.request_hvac_service'],
])('search_capabilities lists the request first for “%s”', async (need, id) => {
  expect(await findFirst(need)).toBe(id);
});

it.each([
  'sewing machine repair',
  'bartender for my wedding',
  'passport renewal',
  'basement cleaning',
  'tune my piano',
])('search_capabilities refuses what the search for a service refuses: %s', async (need) => {
  const { found, notOffered, notOfferedCode } = searchForNeed(site, need);
  const services = found.map(({ subsite }) => subsite);
  const { structured } = await tool.call({ query: need }, {});
  const { capabilities, hint, ...notice } = structured as {
    capabilities: { id: string }[];
    hint?: string;
  };
  expect(notice).toMatchObject({ notOffered, notOfferedCode });
  expect(notOffered).toBeDefined();
  for (const { id } of capabilities) expect(services).toContain(catalog.get(id)?.subsite);
  if (capabilities.length > 0) expect(hint).toMatch(/^Only related words match/);
});

it('search_capabilities finds a capability that belongs to no service by its words', async () =>
  expect(await findFirst(catalog.get('company.research')!.title)).toBe('company.research'));

it('search_capabilities says how to submit the best action if the key allows only weaker matches', async () => {
  const narrowTool = createSearchCapabilitiesTool({ site, now: () => new Date() }, ({ mode }) =>
    ['information', 'education'].includes(mode),
  );
  const intakes = [...catalog.values()].filter(
    (capability) => capability.mode === 'intake' && isOffered(site.registry, capability),
  );
  for (const { id, title, subsite } of intakes) {
    const { structured } = await narrowTool.call({ query: title }, {});
    expect(structured, id).toMatchObject({
      hint: expect.stringContaining('Submit it without a key') as string,
      actions: expect.arrayContaining([expect.objectContaining({ subsite })]) as unknown,
    });
    expect((await tool.call({ query: title }, {})).structured, id).not.toHaveProperty('actions');
  }
});
