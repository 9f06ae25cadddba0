import ICAL from 'ical.js';
import { expect, it } from 'vitest';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { addressInOneLine } from '../../src/site/words/street-address.ts';
import type { HoldEffect } from '../../src/registry/action.ts';
import { file } from '../deliveries/setup/rounds.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { verbsOf } from '../operations/setup/verbs.ts';
import { client } from '../transports/setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const held = verbsOf(site).find(({ action }) => action.effect?.kind === 'hold')!;
const effect = held.action.effect as HoldEffect;

it('the calendar file shows the held item, its location, and what the customer needs', async () => {
  const fixture = await openFixture(site);
  const [item] = itemsOf(site.registry, effect.catalog);
  const lead = await file(fixture.context, held, undefined, {
    [effect.itemField]: item!.id,
    [effect.fromField]: '2031-05-06',
    [effect.toField!]: '2031-05-08',
  });
  await sendAsProvider({ lead, act: 'confirm', actor: 'provider' }, {}, fixture.context);
  const answer = await client(fixture).send(`/receipt/${lead}/calendar`, { method: 'GET' });
  const calendar = new ICAL.Component(ICAL.parse(await answer.text()) as object[]);
  const { location, description } = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
  expect(location).toBe(addressInOneLine(held.subsite.address!));
  expect(description.split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(new RegExp(`: ${item!.title}$`)),
      'What you need:',
      ...held.action.bring!.map((one) => `- ${one}`),
    ]),
  );
});
