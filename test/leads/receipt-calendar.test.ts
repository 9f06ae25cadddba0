import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { findRequestedItem } from '../../src/site/forms/requested-item.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { formatAddress } from '../../src/site/words/street-address.ts';
import type { HoldEffect } from '../../src/registry/schemas/action.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { client } from '../transports/setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const holdAction = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;
const effect = holdAction.action.effect as HoldEffect;
const [item] = itemsOf(site.registry, effect.catalog);

describe('the calendar file of a receipt', async () => {
  const fixture = await openFixture(site);
  const lead = await submitLead(fixture.context, holdAction, undefined, {
    [effect.itemField]: item!.id,
    [effect.fromField]: '2031-05-06',
    [effect.toField!]: '2031-05-08',
  });
  const NOTE = 'Come at 9 to the gate in the alley.';
  const fetchCalendar = async () =>
    (await client(fixture).send(`/receipt/${lead}/calendar`, { method: 'GET' })).text();
  /** The calendar file, and the values of its only event. */
  async function readEvent() {
    const calendar = new ICAL.Component(ICAL.parse(await fetchCalendar()) as object[]);
    const event = calendar.getFirstSubcomponent('vevent')!;
    const readProperty = (name: string) => event.getFirstPropertyValue(name);
    return { method: calendar.getFirstPropertyValue('method'), event, valueOf: readProperty };
  }

  it('shows the item, its location, the confirmation and what the customer needs', async () => {
    const body = { text: NOTE };
    await sendAsProvider(
      { receiptToken: lead, action: 'confirm', actor: 'provider' },
      body,
      fixture.context,
    );
    const status = (await (await client(fixture).get(`/api/lead/${lead}`, {})).json()) as any;
    const { notes } = findRequestedItem(site.registry, holdAction.subsite.name, holdAction.action, {
      [effect.itemField]: item!.id,
    })!;
    expect([notes, status.price.terms]).toEqual([expect.any(String), notes]);
    const { method, event, valueOf } = await readEvent();
    const { location, description } = new ICAL.Event(event);
    expect(location).toBe(formatAddress(holdAction.subsite.address!));
    expect(description.split('\n')).toEqual(
      expect.arrayContaining([
        NOTE,
        ...notes!.split('\n'),
        expect.stringMatching(new RegExp(`: ${item!.title}$`)),
        'What you need:',
        ...holdAction.action.bring!.flatMap((entry) =>
          typeof entry === 'string' ? [`- ${entry}`] : [],
        ),
      ]),
    );
    const conditionalEntries = holdAction.action.bring!.filter(
      (entry) => typeof entry !== 'string',
    );
    expect(conditionalEntries.map(({ text }) => description.includes(text))).toEqual(
      conditionalEntries.map((entry) => entry.for[effect.itemField]!.includes(item!.id)),
    );
    expect(new Set(conditionalEntries.map(({ text }) => description.includes(text))).size).toBe(2);
    expect([method, valueOf('status'), valueOf('sequence')]).toEqual(['PUBLISH', 'CONFIRMED', 0]);
    expect(await fetchCalendar()).toMatch(/\r\nEND:VCALENDAR\r\n$/);
  });

  it('includes what the provider corrects later, as a newer version of the entry', async () => {
    const before = await readEvent();
    const correction = 'Come at 10, not at 9.';
    const message = { receiptToken: lead, action: 'reply', actor: 'provider' } as const;
    await sendAsProvider(message, { text: correction }, fixture.context);
    const { event, valueOf } = await readEvent();
    const lines = new ICAL.Event(event).description.split('\n');
    expect(lines.slice(0, 2)).toEqual([NOTE, correction]);
    expect([before.valueOf('sequence'), valueOf('sequence')]).toEqual([0, 1]);

    const readTexts = async () => {
      const page = await client(fixture).get(`/receipt/${lead}`, {});
      const { agreement, newMessages, laterMessages } = (await page.json()) as any;
      return { agreement, newMessages, laterMessages };
    };
    expect(await readTexts()).toEqual({
      agreement: { texts: [NOTE], times: [expect.any(String)] },
      newMessages: expect.arrayContaining([correction]),
      laterMessages: [],
    });
    await client(fixture).json(
      '/api/lead/{receipt}/messages',
      { text: 'Thank you.' },
      { params: { receipt: lead } },
    );
    expect(await readTexts()).toEqual({
      agreement: { texts: [NOTE], times: [expect.any(String)] },
      newMessages: [],
      laterMessages: [correction],
    });
  });

  it('cancels the same entry once the request is withdrawn', async () => {
    const eventBefore = await readEvent();
    await client(fixture).json(
      '/api/lead/{receipt}/messages',
      { withdraw: true },
      { params: { receipt: lead } },
    );
    const { method, valueOf } = await readEvent();
    expect([method, valueOf('status'), valueOf('sequence')]).toEqual(['CANCEL', 'CANCELLED', 3]);
    for (const name of ['uid', 'dtstart', 'dtend', 'organizer'])
      expect(String(valueOf(name))).toBe(String(eventBefore.valueOf(name)));
    const page = await client(fixture).get(`/receipt/${lead}`, {});
    expect(await page.json()).toMatchObject({ days: { from: '2031-05-06', to: '2031-05-08' } });
  });

  it('is missing for a request that was never confirmed', async () => {
    const other = await submitLead(fixture.context, holdAction, undefined, {
      [effect.itemField]: item!.id,
      [effect.fromField]: '2031-06-06',
      [effect.toField!]: '2031-06-08',
    });
    const withdrawal = { withdraw: true };
    const { json, send } = client(fixture);
    await json('/api/lead/{receipt}/messages', withdrawal, { params: { receipt: other } });
    expect((await send(`/receipt/${other}/calendar`, { method: 'GET' })).status).toBe(404);
  });
});
