import { expect, it } from 'vitest';
import { findSubsite } from '../../src/site/registry.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
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
      ['hours', 'closedDays', 'afterHours', 'phone', 'emergency'].map((member) => value[member]);
    expect(record, name).toMatchObject({
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

it('a service that takes emergencies says whom to call in its record and its skill, and no other does', () => {
  expect(json('/api/agent/hvac').emergency).toContain(emergency);
  expect(text('/.well-known/agent-skills/hvac/SKILL.md')).toContain(emergency);
  expect(json('/api/agent/trailer').emergency).toBeUndefined();
  expect(text('/.well-known/agent-skills/trailer/SKILL.md')).not.toContain('In an emergency');
});
