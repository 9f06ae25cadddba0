import { expect, it } from 'vitest';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { createSearchCapabilitiesTool } from '../../src/mcp/catalog-tools.ts';
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
