import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/keys/keys.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { addDays, toDateInTimeZone, toTimeOnDay } from '../../src/site/calendar/days.ts';
import { isClosedOn } from '../../src/site/calendar/opening-hours.ts';
import { formatPlannedDay } from '../../src/site/words/words.ts';
import { visitInputs } from '../../src/text/index.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';
import { site } from './leads-in-states.ts';

describe('the day and time of a visit in the form of an answer', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const { form, get, json } = client(fixture);
  const visit = listActions(site).find(({ action }) => action.visitField !== undefined)!;
  const today = toDateInTimeZone(site.registry.network.timeZone, context.now());
  const day = addDays(today, 5);
  const sentence = (time: string) => `We will come ${formatPlannedDay(day)}${time}.`;
  const offer = { amount: '89', currency: 'USD', expires: '48h' };

  async function createVisit(action = visit) {
    const lead = await submitLead(context, action, undefined, {});
    const pathOf = async (answer: ProviderAction) => {
      const newest = (await fixture.rows('outbox')).findLast((row) => row['lead'] === lead)!;
      const { links } = (await readLeadEvent(String(newest['id']), context))!;
      return new URL(links[answer]!).pathname;
    };
    const notesOf = async () => (await readLog(lead, context)).entries.map(({ note }) => note);
    return { lead, pathOf, notesOf };
  }

  it.each([
    ['09:00', 'The technician is Joe.', ` at 9 am`, '\nThe technician is Joe.'],
    ['12:00', '', ' at noon', ''],
    ['', 'Joe comes.', '', '\nJoe comes.'],
  ])('%s and the text “%s” are one message', async (visitTime, text, time, rest) => {
    for (const answer of ['offer', 'confirm'] as const) {
      const { pathOf, notesOf } = await createVisit();
      const sent = await form(await pathOf(answer), {
        ...(answer === 'offer' && offer),
        ...{ visitDay: day, visitTime, text },
      });
      expect(sent.status).toBe(303);
      expect((await notesOf()).at(-1)).toBe(`${sentence(time)}${rest}`);
    }
  });

  it.each([
    ['24h', '09:00'],
    ['168h', '09:00'],
    ['168h', ''],
  ])('end an offer of %s that names the time “%s” before the visit', async (expires, visitTime) => {
    const { lead, pathOf } = await createVisit();
    const values = { ...offer, expires, visitDay: day, visitTime };
    expect((await form(await pathOf('offer'), values)).status).toBe(303);
    const { expiresAt } = (await readLog(lead, context)).entries.at(-1)!.offer!;
    const { timeZone } = site.registry.network;
    const visitStart = toTimeOnDay(timeZone, day, visitTime || '23:59').toISOString();
    expect(expiresAt <= visitStart).toBe(true);
    if (expires === '24h' || visitTime) expect(expiresAt === visitStart).toBe(expires !== '24h');
  });

  it('are enough to change the time of a confirmed visit', async () => {
    const { pathOf, notesOf } = await createVisit();
    await json(await pathOf('confirm'), { text: 'We come today at 5 pm.' });
    const path = await pathOf('confirm');
    expect((await form(path, { text: '' })).status).toBe(400);
    expect((await form(path, { text: '', visitDay: day, visitTime: '14:30' })).status).toBe(303);
    expect((await notesOf()).at(-1)).toBe(sentence(' at 2:30 pm'));
    expect((await form(await pathOf('decline'), { sure: 'yes', visitDay: day })).status).toBe(400);
  });

  it.each([
    [{ visitDay: addDays(today, -1), visitTime: '09:00' }, 'visitDay', /^That day has passed\./],
    [{ visitDay: today, visitTime: '00:00' }, 'visitTime', /^That time has passed\. .* after /],
    [{ visitDay: '2099-01-01', visitTime: '09:00' }, 'visitDay', /or an earlier day/],
    [{ visitTime: '09:00' }, 'visitDay', /^Choose the day/],
    [{ visitDay: '2031-02-30' }, 'visitDay', /^Choose the day/],
    [{ visitDay: day, visitTime: '9 o’clock' }, 'visitTime', /^Choose the time/],
  ] as const)(
    'with %o are refused, and everything entered is kept',
    async (inputs, name, fault) => {
      const { pathOf, notesOf } = await createVisit();
      const values = { ...offer, ...inputs, text: 'Joe comes.' };
      const refused = await form(await pathOf('offer'), values);
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { faults: { [name]: expect.stringMatching(fault) }, formValues: values },
      ]);
      expect(await notesOf()).toHaveLength(1);
      const change = await pathOf('confirm');
      await json(change, { text: 'We come today at 5 pm.' });
      const refusedChange = await form(await pathOf('confirm'), inputs);
      expect(await refusedChange.json()).toMatchObject({
        faults: { [name]: expect.stringMatching(fault) },
      });
    },
  );

  it('are asked for before an offer confirms a visit automatically', async () => {
    const { pathOf, notesOf } = await createVisit();
    const path = await pathOf('offer');
    const values = { ...offer, confirmOnAccept: 'yes', text: 'Joe comes.' };
    for (const more of [{}, { visitDay: day }] as Record<string, string>[]) {
      const refused = await form(path, { ...values, ...more });
      expect(await refused.json()).toMatchObject({
        faults: { checkedTime: expect.stringContaining(visitInputs.later) },
        formValues: values,
      });
    }
    expect(await notesOf()).toHaveLength(1);
    expect((await form(path, { ...values, checkedTime: 'yes' })).status).toBe(303);
    for (const more of [
      { visitDay: day, visitTime: '09:00' },
      { text: 'Tomorrow at 3 pm.' },
      { description: 'Repair tomorrow at 3 pm.' },
    ] as Record<string, string>[])
      expect((await form(await pathOf('offer'), { ...values, ...more })).status).toBe(303);
    const { pathOf: otherPathOf } = await createVisit();
    expect(
      (await json(await otherPathOf('offer'), { ...offer, confirmOnAccept: true })).status,
    ).toBe(200);
  });

  it('are sent for a closed day only after a confirmation, which stays while something else is asked', async () => {
    const closed = listActions(site)
      .filter(({ action }) => action.visitField !== undefined)
      .flatMap((one) => {
        const closedDay = Array.from({ length: 400 }, (_, index) => addDays(today, index + 1)).find(
          (other) => isClosedOn(one.subsite, other),
        );
        return closedDay === undefined ? [] : [{ ...one, closedDay }];
      })[0]!;
    const { pathOf, notesOf } = await createVisit(closed);
    const inputs = { visitDay: closed.closedDay, visitTime: '09:00', text: 'Joe comes.' };
    const values = { ...offer, ...inputs, amount: '890000' };
    const path = await pathOf('offer');
    const refused = await form(path, values);
    expect(await refused.json()).toMatchObject({
      faults: {
        checkedDays: expect.stringContaining(formatPlannedDay(closed.closedDay)),
        checkedAmount: expect.stringContaining('$890,000'),
      },
      formValues: values,
    });
    const checkedDays = `${closed.closedDay}/${closed.closedDay}`;
    const other = await form(path, { ...values, checkedDays });
    const { faults } = (await other.json()) as { faults: object };
    expect(Object.keys(faults)).toEqual(['checkedAmount']);
    expect(await notesOf()).toHaveLength(1);
    const sent = await form(path, { ...values, checkedDays, checkedAmount: '890000' });
    expect(sent.status).toBe(303);
    const confirm = await pathOf('confirm');
    expect((await form(confirm, inputs)).status).toBe(400);
    expect((await form(confirm, { ...inputs, checkedDays })).status).toBe(303);
  });

  it('are in the inbox too, and are not lost with an answer that does not send them', async () => {
    const { key } = await createKey({ name: 'Kim', scopes: ['inbox'], expiresAt: null }, context);
    const signedIn = await form('/inbox', { key });
    const headers = { cookie: signedIn.headers.get('set-cookie')!.split(';')[0]! };
    const { lead, notesOf } = await createVisit();
    const reference = (await fixture.rows('outbox')).find((row) => row['lead'] === lead)!['id'];
    const path = `/inbox/${String(reference)}`;
    const { formToken } = (await (await get(path, {}, { headers })).json()) as {
      formToken: string;
    };
    const values = { visitDay: day, visitTime: '09:00', text: 'Joe comes.' };
    const send = (action: string) =>
      form(path, { ...values, do: action, form: formToken }, { headers });
    const refused = await send('reply');
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { faults: { visitDay: visitInputs.unsent }, formValues: values },
    ]);
    expect((await send('confirm')).status).toBe(303);
    expect((await notesOf()).at(-1)).toBe(`${sentence(' at 9 am')}\nJoe comes.`);
  });
});
