import { describe, expect, it } from 'vitest';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import { composeMail } from '../../src/leads/deliveries/mail.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { listLeads } from '../../src/leads/lists/list-leads.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { receiptStateOf } from '../../src/leads/status/receipt-state.ts';
import { computeAnswerDeadline } from '../../src/leads/status/promised-answer.ts';
import { readStatus } from '../../src/leads/status/read-lead-status.ts';
import { timelineOf } from '../../src/leads/status/timeline.ts';
import { exampleValuesOf, kindOf } from '../../src/fields/fields.ts';
import { createReceiptPage } from '../../src/http/pages/receipt.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { addDays, toDateInTimeZone, toTimeOnDay } from '../../src/site/calendar/days.ts';
import { phoneOf } from '../../src/site/phone.ts';
import { formatPlannedDay } from '../../src/site/words/words.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { findEmergency, listActions } from '../operations/setup/actions.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const { registry } = site;
const CONTACT = { email: 'dana@example.com' };
type Verb = ReturnType<typeof listActions>[number];

type Context = Awaited<ReturnType<typeof openFixture>>['context'];

/** The email to the provider about an event, in one line without quotation marks. */
async function composeProviderMail(id: string, context: Context): Promise<string> {
  const { text } = await composeMail((await readLeadEvent(id, context))!, context);
  return text.replaceAll(/[|\s]+/g, ' ');
}

/** The notice and the first email of a new request. */
async function submitAndReadMessages(
  verb: Verb,
  fields: object,
  { context }: Awaited<ReturnType<typeof openFixture>>,
) {
  const lead = await submitLead(context, verb, CONTACT, fields);
  const log = await readLog(lead, context);
  const event = (await readLeadEvent(log.reference!, context))!;
  const { text } = renderPersonMail('receipt', event, log, { site });
  const { notice } = await readStatus(lead, context);
  const provider = await composeProviderMail(log.reference!, context);
  return { notice, text, first: text.split('\n')[0]!, provider };
}

describe('an emergency', () => {
  const { verb, name, emergency, other } = findEmergency(site);
  const instruction = `You said that this is an emergency: call ${phoneOf(verb.subsite, registry)} now.`;

  it('states the number to call in its notice and in the first line of its email', async () => {
    const { notice, first, text, provider } = await submitAndReadMessages(
      verb,
      { [name]: emergency },
      await openFixture(site),
    );
    expect(notice).toContain(instruction);
    expect(first).toContain(instruction);
    expect(text.split(instruction)).toHaveLength(2);
    // The provider is asked to answer, not to call its own number.
    expect(provider).not.toContain(instruction);
  });

  it('states the number to call until it is confirmed or ends', async () => {
    const { context } = await openFixture(site);
    const lead = await submitLead(context, verb, CONTACT, { [name]: emergency });
    for (const action of ['acknowledge', 'confirm'] as const) {
      await sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, {}, context);
      const { notice } = await readStatus(lead, context);
      expect(notice.includes(instruction)).toBe(action === 'acknowledge');
    }
  });

  it('stays an emergency in the list and the receipt if its record changes later', async () => {
    const { context } = await openFixture(site);
    const lead = await submitLead(context, verb, CONTACT, { [name]: emergency });
    const subsites = registry.subsites.map((subsite) => ({
      ...subsite,
      actions: subsite.actions.map((action) => ({
        ...action,
        fields: Object.fromEntries(
          Object.entries(action.fields).map(([key, { emergency: _, ...field }]) => [key, field]),
        ),
      })),
    }));
    const contextAfter = { ...context, site: { ...site, registry: { ...registry, subsites } } };
    const [listed] = await listLeads({}, { limit: 1 }, contextAfter);
    expect(listed).toMatchObject({ emergency: true });
    expect((await readStatus(lead, contextAfter)).notice).toContain(instruction);
    expect(await composeProviderMail(listed!.reference, contextAfter)).toMatch(/^Emergency: /);
  });

  it('is not mentioned for any other request', async () => {
    const { notice, text } = await submitAndReadMessages(
      verb,
      { [name]: other },
      await openFixture(site),
    );
    expect(notice).not.toContain('emergency');
    expect(text).not.toContain('this is an emergency');
  });
});

describe('a danger that the search has an answer to', () => {
  const { verb, name, emergency } = findEmergency(site);
  const { answer } = registry.network.search.notOffered.find(({ warns }) => warns)!;
  const [note] = Object.entries(verb.action.fields).find(
    ([, field]) => kindOf(field).isFreeText && !field.item && !field.content,
  )!;

  it.each(['I smell gas in the kitchen', 'carbon monoxide alarm is going off', 'huele a gas'])(
    'is answered first in the receipt, status and emails of a request that says “%s”',
    async (text) => {
      const { notice, first, provider } = await submitAndReadMessages(
        verb,
        { [name]: emergency, [note]: text },
        await openFixture(site),
      );
      expect(notice.startsWith(answer!)).toBe(true);
      expect(notice).toContain('You said that this is an emergency');
      expect(first).toBe(answer);
      expect(provider).toContain(answer);
      const { context } = await openFixture(site);
      const fields = { ...exampleValuesOf(verb.action.fields), [note]: text };
      for (const sandbox of [true, false]) {
        const request = { subsite: verb.subsite.name, action: verb.action.verb, fields, sandbox };
        const input = submitAction.parse({ ...request, contact: CONTACT }, context);
        const { output } = await submitAction.handle(input, { channel: 'json' }, context);
        expect(output.warnings![0]).toEqual({ code: 'danger', message: answer });
      }
    },
  );

  it('is answered in the status if a later message mentions it', async () => {
    const { context } = await openFixture(site);
    const receipt = await submitLead(context, verb, CONTACT, {});
    expect((await readStatus(receipt, context)).notice).not.toContain(answer);
    const input = sendMessage.parse({ text: 'Now I smell gas.', receipt }, context);
    await sendMessage.handle(input, { channel: 'json' }, context);
    expect((await readStatus(receipt, context)).notice).toContain(answer);
  });
});

describe('the answer to a request for a day', () => {
  const findDayFields = ({ action }: Verb) =>
    Object.entries(action.fields).filter(([, field]) => kindOf(field).isDay);
  const verb = listActions(site).find(
    (candidate) =>
      findDayFields(candidate).length > 0 &&
      candidate.subsite.hours?.some(({ days }) => days.length === 7),
  )!;
  const [{ opens, closes } = { opens: '', closes: '' }] = verb.subsite.hours!;
  const { timeZone } = registry.network;
  const createRequest = (day: string) => ({
    subsite: verb.subsite.name,
    action: verb.action.verb,
    fields: Object.fromEntries(findDayFields(verb).map(([name]) => [name, day])),
  });
  const computeAnswerDelay = (day: string, time: Date) =>
    new Date(computeAnswerDeadline(registry, createRequest(day), time)).getTime() - time.getTime();
  // The weeks after this day have no closed days.
  const day = '2026-11-09';
  const minutesToMs = (count: number) => count * 60_000;
  const opening = toTimeOnDay(timeZone, day, opens);
  const closing = toTimeOnDay(timeZone, day, closes);
  const subtractMinutes = (moment: Date, count: number) =>
    new Date(moment.getTime() - minutesToMs(count));

  it('is promised within two hours or by closing time, if the request is for today', () => {
    expect(computeAnswerDelay(day, opening)).toBe(minutesToMs(120));
    expect(computeAnswerDelay(day, subtractMinutes(opening, 60))).toBe(minutesToMs(180));
    expect(computeAnswerDelay(day, subtractMinutes(closing, 60))).toBe(minutesToMs(60));
  });

  it('is promised within two hours after opening, if the request is for tomorrow', () => {
    expect(computeAnswerDelay(day, subtractMinutes(closing, 24 * 60))).toBe(
      opening.getTime() + minutesToMs(120) - subtractMinutes(closing, 24 * 60).getTime(),
    );
    expect(computeAnswerDelay(addDays(day, 9), opening)).toBe(
      minutesToMs(60 * verb.action.respondWithinHours),
    );
  });

  it('comes too late shortly before closing: the request says to call', async () => {
    const fixture = await openFixture(site);
    const now = () => fixture.context.now();
    const today = () => toDateInTimeZone(timeZone, now());
    fixture.advanceHours(
      (subtractMinutes(toTimeOnDay(timeZone, addDays(today(), 1), closes), 20).getTime() -
        now().getTime()) /
        3_600_000,
    );
    const { notice, first, provider } = await submitAndReadMessages(
      verb,
      createRequest(today()).fields,
      fixture,
    );
    const warning = `That is after the day you chose, ${formatPlannedDay(today())}; call ${phoneOf(verb.subsite, registry)} instead.`;
    expect(notice).toContain(warning);
    expect(first).toContain(warning);
    expect(provider).toContain(warning);
    const lead = await submitLead(fixture.context, verb, CONTACT, createRequest(today()).fields);
    const receipt = await createReceiptPage(fixture.context).show({
      request: new Request('http://localhost/'),
      params: { token: lead },
    } as unknown as Exchange);
    expect(receipt).toMatchObject({ state: { headlineKey: 'new_too_late' } });

    const messagesInTime = await submitAndReadMessages(
      verb,
      createRequest(addDays(today(), 1)).fields,
      fixture,
    );
    expect(messagesInTime.notice + messagesInTime.text + messagesInTime.provider).not.toContain(
      'after the day',
    );
  });
});

it('a request without a contact is promised an answer only on its receipt', async () => {
  const { context } = await openFixture(site);
  const verb = listActions(site).find(({ action }) => action.contact === 'required')!;
  const submitAndReadState = async (contact: object) => {
    const lead = await submitLead(context, verb, contact);
    const log = await readLog(lead, context);
    const status = await readStatus(lead, context);
    return receiptStateOf(
      status,
      timelineOf(log.entries),
      { ...log, hours: [], timeZone: site.registry.network.timeZone },
      context.now(),
    ).headlineKey;
  };
  expect(await submitAndReadState({ name: 'Dana Reyes' })).toBe('new_unreachable');
  expect(await submitAndReadState(CONTACT)).toBe('new');
});
