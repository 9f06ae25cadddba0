import { expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { checkCapabilityInput } from '../../src/capabilities/capability-request.ts';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { findAction, findSubsite } from '../../src/site/registry.ts';
import { sites } from '../operations/setup/fixture.ts';

const [{ site }] = sites as [(typeof sites)[number]];
const inquiries = [...capabilityCatalogOf(site).values()].filter(
  ({ adapter }) => adapter === 'inquiry',
);

it.each(inquiries)('$id reports where misplaced fields and contact members belong', (record) => {
  const subsite = findSubsite(site.registry, record.subsite!)!;
  const action = findAction(subsite, record.action!)!;
  const names = Object.keys(exampleValuesOf(action.fields));
  const fields = Object.fromEntries(names.map((name) => [name, 'x']));
  const { errors } = checkCapabilityInput(
    record,
    { phone: '7275550142', ...fields },
    site.registry,
  );
  const messageAt = (name: string) =>
    errors.find(({ pointer }) => pointer === `/input/${name}`)?.message;
  for (const name of names)
    expect(messageAt(name)).toBe(`This name is unknown. Move it to /input/fields/${name}.`);
  if (!names.includes('phone'))
    expect(messageAt('phone')).toBe('This name is unknown. Move it to /input/contact/phone.');
});
