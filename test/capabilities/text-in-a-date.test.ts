import { expect, it } from 'vitest';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { readAnswerableLead } from '../../src/leads/conversation/answer-lead.ts';
import { createKey } from '../../src/keys/keys.ts';
import { exampleValuesOf, kindOf } from '../../src/fields/fields.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { readStatus } from '../../src/leads/status/read-lead-status.ts';
import { capabilityFieldsOf } from '../../src/site/capability-record.ts';
import { findAction, findSubsite } from '../../src/site/registry.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];

/** Fields that are dates for an action, and plain text for its capability (spec, Capabilities). */
const textFields = [...capabilityCatalogOf(site).values()]
  .filter(({ adapter }) => adapter === 'inquiry')
  .flatMap((capability) => {
    const action = findAction(
      findSubsite(site.registry, capability.subsite!)!,
      capability.action!,
    )!;
    const fields = capabilityFieldsOf(action);
    return Object.entries(action.fields)
      .filter(([name, field]) => kindOf(field).isDay && !kindOf(fields[name]!).isDay)
      .map(([name]) => ({ id: capability.id, name, action, fields }));
  });

it('some capabilities accept text where the action has a date', () => {
  expect(textFields).not.toEqual([]);
});

it.each(textFields)('$id delivers text in place of the date $name', async (field) => {
  const { id, name, fields } = field;
  const fixture = await openFixture(site);
  const web = client(fixture);
  const { key } = await createKey(
    { name: 'Agent', scopes: ['*'], expiresAt: null },
    fixture.context,
  );
  const headers = { authorization: `Bearer ${key}` };
  const response = await web.json(
    '/api/v1/tasks',
    {
      capability: id,
      input: {
        contact: { email: 'dana@example.com' },
        fields: { ...exampleValuesOf(fields), [name]: 'next Friday' },
      },
    },
    { headers },
  );
  const task = (await response.json()) as { result: { receiptToken: string } };
  expect(response.status).toBe(200);
  const lead = task.result.receiptToken;

  const log = await readLog(lead, fixture.context);
  const event = (await readLeadEvent(log.reference!, fixture.context))!;
  expect(renderMail(event, site).text).toContain('next Friday');
  const { text } = renderPersonMail('receipt', event, log, { site });
  expect(text).not.toContain('next Friday');
  const { request } = await readStatus(lead, fixture.context);
  expect(request.withheld).toContain(name);
  expect(JSON.stringify(request)).not.toContain('next Friday');

  const receipt = await web.send(`/receipt/${lead}`, {
    method: 'GET',
    params: { receipt: lead },
  });
  expect(receipt.status).toBe(200);
  expect(await receipt.text()).not.toContain('next Friday');
  const link = event.links.acknowledge!.split('/answer/')[1]!;
  const { enteredValues } = await readAnswerableLead(link, fixture.context);
  expect(enteredValues.map(([, value]) => value)).toContain('next Friday');
});
