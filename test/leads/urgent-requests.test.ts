import { describe, expect, it } from 'vitest';
import { personMailText } from '../../src/leads/deliveries/person-mail-text.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { receiptState } from '../../src/leads/status/receipt-state.ts';
import { answerDue } from '../../src/leads/status/receipt.ts';
import { readStatus } from '../../src/leads/status/read-lead-status.ts';
import { timelineOf } from '../../src/leads/status/timeline.ts';
import { kindOf } from '../../src/fields/fields.ts';
import { dayIn, daysAfter } from '../../src/site/calendar/days.ts';
import { phoneOf } from '../../src/site/phone.ts';
import { plannedDayInWords } from '../../src/site/words/words.ts';
import { file } from '../deliveries/setup/drain.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { emergencyOf, verbsOf } from '../operations/setup/verbs.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const { registry } = site;
const MAIL = { email: 'dana@example.com' };
type Verb = ReturnType<typeof verbsOf>[number];

/** The notice and the first mail of a new request. */
async function saidOf(
  verb: Verb,
  fields: object,
  { context }: Awaited<ReturnType<typeof openFixture>>,
) {
  const lead = await file(context, verb, MAIL, fields);
  const log = await readLog(lead, context);
  const event = (await readLeadEvent(log.reference!, context))!;
  const { text } = personMailText('receipt', event, log, { site });
  const { notice } = await readStatus(lead, context);
  return { notice, text, first: text.split('\n')[0]! };
}

describe('an emergency', () => {
  const { verb, name, emergency, other } = emergencyOf(site);
  const call = `You said that this is an emergency: call ${phoneOf(verb.subsite, registry)} now.`;

  it('is told to call now, in the notice and first thing in the mail', async () => {
    const { notice, first, text } = await saidOf(
      verb,
      { [name]: emergency },
      await openFixture(site),
    );
    expect(notice).toContain(call);
    expect(first).toContain(call);
    expect(text.split(call)).toHaveLength(2);
  });

  it('is nothing that any other request says', async () => {
    const { notice, text } = await saidOf(verb, { [name]: other }, await openFixture(site));
    expect(notice).not.toContain('emergency');
    expect(text).not.toContain('this is an emergency');
  });
});

describe('a promise after the day that a request is for', () => {
  const days = ({ action }: Verb) =>
    Object.entries(action.fields).filter(([, field]) => kindOf(field).isDay);
  const verb = verbsOf(site).find((one) => days(one).length > 0)!;
  const fieldsFor = (day: string) => Object.fromEntries(days(verb).map(([name]) => [name, day]));
  const { timeZone } = registry.network;

  it('says to call instead, in the notice and first thing in the mail', async () => {
    const fixture = await openFixture(site);
    const asked = { subsite: verb.subsite.name, action: verb.action.verb };
    const today = () => dayIn(timeZone, fixture.context.now());
    const promised = () =>
      dayIn(timeZone, new Date(answerDue(registry, asked, fixture.context.now())));
    while (promised() === today()) fixture.later(1);
    const { notice, first } = await saidOf(verb, fieldsFor(today()), fixture);
    const late = `That is after the day you named, ${plannedDayInWords(today())}; call ${phoneOf(verb.subsite, registry)} instead.`;
    expect(notice).toContain(late);
    expect(first).toContain(late);

    const later = await saidOf(verb, fieldsFor(daysAfter(promised(), 3)), fixture);
    expect(later.notice + later.text).not.toContain('after the day');
  });
});

it('promises an answer on the receipt alone to a person without a contact', async () => {
  const { context } = await openFixture(site);
  const verb = verbsOf(site).find(({ action }) => action.contact === 'required')!;
  const wordsFor = async (contact: object) => {
    const lead = await file(context, verb, contact);
    const log = await readLog(lead, context);
    const status = await readStatus(lead, context);
    return receiptState(status, timelineOf(log.entries), log, context.now()).words;
  };
  expect(await wordsFor({ name: 'Dana Reyes' })).toBe('new_unreachable');
  expect(await wordsFor(MAIL)).toBe('new');
});
