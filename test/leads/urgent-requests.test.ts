import { describe, expect, it } from 'vitest';
import { personMailText } from '../../src/leads/deliveries/person-mail-text.ts';
import { mailOf } from '../../src/leads/deliveries/mail.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { receiptState } from '../../src/leads/status/receipt-state.ts';
import { answerDue } from '../../src/leads/status/receipt.ts';
import { readStatus } from '../../src/leads/status/read-lead-status.ts';
import { timelineOf } from '../../src/leads/status/timeline.ts';
import { kindOf } from '../../src/fields/fields.ts';
import { dateInTimeZone, addDays } from '../../src/site/calendar/days.ts';
import { phoneOf } from '../../src/site/phone.ts';
import { plannedDayInWords } from '../../src/site/words/words.ts';
import { file } from '../deliveries/setup/drain.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { emergencyOf, verbsOf } from '../operations/setup/verbs.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const { registry } = site;
const MAIL = { email: 'dana@example.com' };
type Verb = ReturnType<typeof verbsOf>[number];

type Context = Awaited<ReturnType<typeof openFixture>>['context'];

/** The email to the provider about an event, in one line without quotation marks. */
async function providerMailAbout(id: string, context: Context): Promise<string> {
  const { text } = await mailOf((await readLeadEvent(id, context))!, context);
  return text.replaceAll(/[|\s]+/g, ' ');
}

/** The notice and the first email of a new request. */
async function messagesFor(
  verb: Verb,
  fields: object,
  { context }: Awaited<ReturnType<typeof openFixture>>,
) {
  const lead = await file(context, verb, MAIL, fields);
  const log = await readLog(lead, context);
  const event = (await readLeadEvent(log.reference!, context))!;
  const { text } = personMailText('receipt', event, log, { site });
  const { notice } = await readStatus(lead, context);
  const provider = await providerMailAbout(log.reference!, context);
  return { notice, text, first: text.split('\n')[0]!, provider };
}

describe('an emergency', () => {
  const { verb, name, emergency, other } = emergencyOf(site);
  const instruction = `You said that this is an emergency: call ${phoneOf(verb.subsite, registry)} now.`;

  it('states the number to call in its notice and in the first line of its email', async () => {
    const { notice, first, text, provider } = await messagesFor(
      verb,
      { [name]: emergency },
      await openFixture(site),
    );
    expect(notice).toContain(instruction);
    expect(first).toContain(instruction);
    expect(text.split(instruction)).toHaveLength(2);
    expect(provider).toContain(instruction);
  });

  it('needs no call once the provider has answered', async () => {
    const { context, rows } = await openFixture(site);
    const lead = await file(context, verb, MAIL, { [name]: emergency });
    await sendAsProvider({ lead, act: 'acknowledge', actor: 'provider' }, {}, context);
    expect((await readStatus(lead, context)).notice).not.toContain(instruction);
    const newest = String((await rows('outbox')).at(-1)!['id']);
    expect(await providerMailAbout(newest, context)).not.toContain(instruction);
  });

  it('is not mentioned for any other request', async () => {
    const { notice, text } = await messagesFor(verb, { [name]: other }, await openFixture(site));
    expect(notice).not.toContain('emergency');
    expect(text).not.toContain('this is an emergency');
  });
});

describe('an answer promised for a time after the requested day', () => {
  const dayFields = ({ action }: Verb) =>
    Object.entries(action.fields).filter(([, field]) => kindOf(field).isDay);
  const verb = verbsOf(site).find((candidate) => dayFields(candidate).length > 0)!;
  const fieldsFor = (day: string) =>
    Object.fromEntries(dayFields(verb).map(([name]) => [name, day]));
  const { timeZone } = registry.network;

  it('is accompanied by the number to call in the notice and in the first line of the email', async () => {
    const fixture = await openFixture(site);
    const request = { subsite: verb.subsite.name, action: verb.action.verb };
    const today = () => dateInTimeZone(timeZone, fixture.context.now());
    const promised = () =>
      dateInTimeZone(timeZone, new Date(answerDue(registry, request, fixture.context.now())));
    while (promised() === today()) fixture.advanceHours(1);
    const { notice, first, provider } = await messagesFor(verb, fieldsFor(today()), fixture);
    const warning = `That is after the day you chose, ${plannedDayInWords(today())}; call ${phoneOf(verb.subsite, registry)} instead.`;
    expect(notice).toContain(warning);
    expect(first).toContain(warning);
    expect(provider).toContain(warning);

    const inTime = await messagesFor(verb, fieldsFor(addDays(promised(), 3)), fixture);
    expect(inTime.notice + inTime.text + inTime.provider).not.toContain('after the day');
  });
});

it('a request without a contact is promised an answer on its receipt only', async () => {
  const { context } = await openFixture(site);
  const verb = verbsOf(site).find(({ action }) => action.contact === 'required')!;
  const stateFor = async (contact: object) => {
    const lead = await file(context, verb, contact);
    const log = await readLog(lead, context);
    const status = await readStatus(lead, context);
    return receiptState(status, timelineOf(log.entries), log, context.now()).words;
  };
  expect(await stateFor({ name: 'Dana Reyes' })).toBe('new_unreachable');
  expect(await stateFor(MAIL)).toBe('new');
});
