import { expect, it } from 'vitest';
import { findSubsite } from '../../src/site/registry.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { networks } from './networks.ts';

const [main] = networks;
const { site, json, text } = main!;
const hvac = findSubsite(site.registry, 'hvac')!;
const emergency = `In an emergency, call ${hvac.phone ?? site.registry.network.organization.phone} now.`;

it('the manifest, the index and MCP have the same phone, emergency sentence, hours, closed days and requirements', async () => {
  const { call } = await openMcpEndpoints((await openFixture(sites[0]!.site)).context);
  for (const subsite of site.registry.subsites) {
    const { name, hours, closedDays } = subsite;
    const record = json(`/api/agent/${name}`);
    const contactFactsOf = (value: Record<string, unknown>) =>
      ['timeZone', 'hours', 'closedDays', 'afterHours', 'phone', 'emergency'].map(
        (member) => value[member],
      );
    expect(record, name).toMatchObject({
      timeZone: site.registry.network.timeZone,
      phone: subsite.phone ?? site.registry.network.organization.phone,
      ...(hours && { hours }),
      ...(closedDays?.length && { closedDays }),
    });
    const listed = json('/api/agent-index').subsites.find((one: any) => one.name === name);
    const { value } = await call('/api/mcp', 'get_subsite_info', { name });
    expect(contactFactsOf(listed), name).toEqual(contactFactsOf(record));
    expect(contactFactsOf(value['subsite']), name).toEqual(contactFactsOf(record));
    const requirementsOf = ({ actions }: any) => actions.map((action: any) => action.requirements);
    expect(requirementsOf(value['subsite']), name).toEqual(requirementsOf(record));
  }
  const { closedDays, actions } = json('/api/agent/trailer');
  expect(closedDays).not.toHaveLength(0);
  expect(actions[0].requirements).toContain('Travel within Florida only');
});

it('the search names the time zone and the date there, and llms.txt and OpenAPI the time zone', async () => {
  const fixture = await openFixture(site);
  const { timeZone } = site.registry.network;
  const readDate = async () => {
    const response = await client(fixture).get('/api/find?q=trailer', {});
    return (await response.json()) as { timeZone: string; today: string };
  };
  // 10:30 pm in New York.
  fixture.advanceHours((Date.parse('2026-11-29T03:30:00Z') - Date.parse(site.generatedAt)) / 3.6e6);
  expect(await readDate()).toMatchObject({ timeZone, today: '2026-11-28' });
  fixture.advanceHours(2);
  expect(await readDate()).toMatchObject({ timeZone, today: '2026-11-29' });
  const sentence = `in the time zone ${timeZone}`;
  expect(text('/llms.txt')).toContain(sentence);
  expect(json('/api/openapi.json').info.description).toContain(sentence);
});

it('a skill links to the record with the verbs and fields of its requests', () => {
  expect(text('/.well-known/agent-skills/hvac/SKILL.md')).toContain(
    `(${site.base}/api/agent/hvac)`,
  );
});

it('llms.txt says whether receipts are signed', () => {
  expect(text('/llms.txt').includes('this service signs nothing at present')).toBe(
    !site.receiptKey,
  );
});

it('a service that takes emergencies says whom to call in its record and its skill, and no other does', () => {
  expect(json('/api/agent/hvac').emergency).toContain(emergency);
  expect(text('/.well-known/agent-skills/hvac/SKILL.md')).toContain(emergency);
  expect(json('/api/agent/trailer').emergency).toBeUndefined();
  expect(text('/.well-known/agent-skills/trailer/SKILL.md')).not.toContain('In an emergency');
});
