import { expect, it } from 'vitest';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { findAction, findSubsite } from '../../src/site/registry.ts';
import { site } from './fixture.ts';

const inquiries = [...capabilityCatalogOf(site).values()].filter(
  ({ adapter }) => adapter === 'inquiry',
);

it.each(inquiries)('$id asks for a separate quote only if no published price applies', (record) => {
  const subsite = findSubsite(site.registry, record.subsite!)!;
  const action = findAction(subsite, record.action!)!;
  const hasPrices = Boolean(subsite.pricing?.length ?? subsite.commission);
  const { description } = record.pricing;
  expect(description.includes('It buys nothing')).toBe(action.purpose !== undefined);
  expect(description.includes('Published prices apply')).toBe(
    action.purpose === undefined && hasPrices,
  );
});
