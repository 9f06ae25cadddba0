import { describe, expect, it } from 'vitest';
import { readReach } from '../../src/leads/conversation/answer-lead.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { mailText } from '../../src/leads/deliveries/mail-text.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import type { ProviderAct } from '../../src/leads/conversation/conversation.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { shownTerms } from '../../src/leads/status/shown-terms.ts';
import { topicOf } from '../../src/leads/deliveries/person-mail-topic.ts';
import { personMailText } from '../../src/leads/deliveries/person-mail-text.ts';
import { visitInWords, visitOf } from '../../src/leads/status/visit.ts';
import type { HoldEffect } from '../../src/registry/action.ts';
import { kindOf, valueInWords } from '../../src/fields/fields.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { labelOf } from '../../src/site/words/field-words.ts';
import { requestTotal } from '../../src/site/rental.ts';
import { file } from '../deliveries/setup/drain.ts';
import { openFixture, type Fixture } from '../operations/setup/fixture.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { verbsOf } from '../operations/setup/verbs.ts';
import { client } from '../transports/setup/send.ts';
import { leadIn, makeOffer, site } from './leads-in-states.ts';

/** View of the receipt page of a lead. */
const receiptOf = async (fixture: Fixture, lead: string) =>
  (await (await client(fixture).get(`/receipt/${lead}`, {})).json()) as any;

describe('the top of a receipt', async () => {
  const fixture = await openFixture(site);
  const { json } = client(fixture);
  const send = (lead: string, body: object) =>
    json('/api/lead/{receipt}/messages', body, { params: { receipt: lead } });

  it('shows the latest event, and when an answer to it is due', async () => {
    const { lead } = await leadIn(fixture, 'needs_info');
    await send(lead, { text: 'Six feet.' });
    const later = expect.stringMatching(/^\d{4}-/);
    expect((await receiptOf(fixture, lead)).state).toEqual({
      words: 'answered',
      due: { by: later, late: false },
    });
    const offer = await makeOffer(fixture, lead);
    await send(lead, { decline: offer });
    expect((await receiptOf(fixture, lead)).state.words).toBe('offer_declined');
    fixture.advanceHours(24 * 30);
    expect((await receiptOf(fixture, lead)).state.due.late).toBe(true);
    await send(lead, { text: 'Are you there?' });
    const { lead: read } = await leadIn(fixture, 'acknowledged');
    expect((await receiptOf(fixture, read)).state).toEqual({ words: 'acknowledged' });
    fixture.advanceHours(1);
    await send(read, { text: 'One more thing.' });
    expect((await receiptOf(fixture, read)).state.words).toBe('wrote');
  });

  it('gives people an instruction if a form has no text, and never an API term', async () => {
    const { lead } = await leadIn(fixture, 'needs_info');
    for (const text of ['', '   ']) {
      const refused = (await (
        await client(fixture).form(`/receipt/${lead}`, { text, _key: 'a-key-of-the-form-1' })
      ).json()) as any;
      expect(refused.refusal.errors).toEqual([
        { pointer: '/text', message: 'Write your answer or message first.' },
      ]);
    }
    const long = 'é'.repeat(4_321);
    const refused = (await (
      await client(fixture).form(`/receipt/${lead}`, { text: long, _key: 'a-key-of-the-form-2' })
    ).json()) as any;
    expect(refused.typed).toBe(long);
    expect(refused.refusal.errors).toEqual([
      { pointer: '/text', message: 'Shorten this to 4,000 characters. It has 4,321 now.' },
    ]);
  });
});

describe('a provider’s offer', async () => {
  const fixture = await openFixture(site);
  const act = (lead: string, name: ProviderAct, body: object) =>
    sendAsProvider({ lead, act: name, actor: 'provider' }, body, fixture.context);

  it('has a price of 0 if it is deliberately free, and above 0 otherwise', async () => {
    const { lead } = await leadIn(fixture, 'new');
    const nothing = { amount: '0', currency: 'USD', expires: '48h' };
    for (const contradiction of [{}, { amount: '130', free: true }]) {
      const problem = await problemOf(() => act(lead, 'offer', { ...nothing, ...contradiction }));
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/amount']);
    }
    expect(await act(lead, 'offer', { ...nothing, free: true })).toBe('quoted');
  });

  it('is agreed when the customer accepts it, but not when the provider confirms first', async () => {
    const { lead } = await leadIn(fixture, 'quoted');
    await act(lead, 'confirm', {});
    expect((await receiptOf(fixture, lead)).lead.price).toBeUndefined();
    const { lead: other, offerId } = await leadIn(fixture, 'quoted');
    await client(fixture).json(
      '/api/lead/{receipt}/messages',
      { accept: offerId },
      { params: { receipt: other } },
    );
    await act(other, 'confirm', {});
    expect((await receiptOf(fixture, other)).lead.price).toEqual({
      amount: '450.00',
      currency: 'USD',
      offerId,
    });
    // The provider’s confirmation decides, even if acceptance would have confirmed.
    for (const by of ['person', 'provider'] as const) {
      const { lead: third, offerId: id } = await leadIn(fixture, 'quoted', {
        confirmOnAccept: true,
      });
      await (by === 'provider'
        ? act(third, 'confirm', {})
        : client(fixture).json(
            '/api/lead/{receipt}/messages',
            { accept: id },
            { params: { receipt: third } },
          ));
      expect((await receiptOf(fixture, third)).lead.price?.offerId).toBe(
        by === 'person' ? id : undefined,
      );
    }
  });

  it('starts with the total shown to the customer, which the email and page repeat', async () => {
    const holdVerb = verbsOf(site).find(({ action }) => action.effect?.kind === 'hold')!;
    const effect = holdVerb.action.effect as HoldEffect;
    const fields = {
      [effect.itemField]: itemsOf(site.registry, effect.catalog)[0]!.id,
      [effect.fromField]: '2031-05-06',
      [effect.toField!]: '2031-05-08',
    };
    const lead = await file(fixture.context, holdVerb, undefined, fields);
    const fieldValues = Object.entries(fields).map(([name, value]) => ({ name, value }));
    const total = requestTotal(site.registry, holdVerb.action, fieldValues)!;
    const mailNow = async () => {
      const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
      const event = (await readLeadEvent(String(events.at(-1)!['id']), fixture.context))!;
      const terms = shownTerms(await readLog(lead, fixture.context), fixture.context.now(), site);
      return { event, text: mailText(event, site, terms).text };
    };
    const status = async () => (await receiptOf(fixture, lead)).lead;
    expect((await status()).price).toEqual({
      amount: total.amount,
      currency: total.currency,
      deposit: total.depositAmount,
      terms: expect.stringContaining('Sales tax is added.'),
    });
    const { event, text } = await mailNow();
    expect(text).toContain(total.price);
    // Values that the form fills in itself are not repeated.
    for (const [name, { known, label }] of Object.entries(holdVerb.action.fields))
      if (known !== undefined && event.lead.fields[name] === known)
        expect(text).not.toContain(`${label}: ${known}`);
    const page = (await (
      await client(fixture).get(new URL(event.links.offer!).pathname, {})
    ).json()) as any;
    expect(page.lead.terms.total.amount).toBe(total.amount);

    await act(lead, 'offer', { amount: '110', currency: 'USD', expires: '48h' });
    expect((await mailNow()).text.split('\nANSWER\n')[0]).not.toContain(total.price);
    expect((await status()).price).toBeUndefined();
    const { offerId } = (await readLog(lead, fixture.context)).entries.at(-1)!.offer!;
    await client(fixture).json(
      '/api/lead/{receipt}/messages',
      { accept: offerId },
      { params: { receipt: lead } },
    );
    await act(lead, 'confirm', {});
    expect((await mailNow()).text).toContain('$110');
    expect((await status()).price).toEqual({
      amount: '110.00',
      currency: 'USD',
      offerId,
      deposit: total.depositAmount,
      terms: expect.stringContaining('Sales tax is added.'),
    });
  });

  it('made by a link shows when the link was used, once the lead has changed again', async () => {
    const { lead } = await leadIn(fixture, 'new');
    const [first] = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
    const { links } = (await readLeadEvent(String(first!['id']), fixture.context))!;
    const path = new URL(links.confirm!).pathname;
    const { json, get } = client(fixture);
    await json(path, {});
    const page = async () => ((await (await get(path, {})).json()) as any).lead;
    expect((await page()).answeredAt).toBeUndefined();
    await json('/api/lead/{receipt}/messages', { withdraw: true }, { params: { receipt: lead } });
    expect(await page()).toMatchObject({ link: 'used', answeredAt: expect.any(String) });
  });
});

describe('email about the changes of a lead', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const holdVerb = verbsOf(site).find(({ action }) => action.effect?.kind === 'hold')!;
  const effect = holdVerb.action.effect as HoldEffect;
  const fileRequest = () =>
    file(context, holdVerb, undefined, {
      [effect.itemField]: itemsOf(site.registry, effect.catalog)[0]!.id,
      [effect.fromField]: '2031-05-06',
      [effect.toField!]: '2031-05-08',
    });
  const act = (lead: string, name: ProviderAct, body: object = {}) =>
    sendAsProvider({ lead, act: name, actor: 'provider' }, body, context);
  const send = (lead: string, body: object) =>
    client(fixture).json('/api/lead/{receipt}/messages', body, { params: { receipt: lead } });
  const offerOf = async (lead: string) =>
    (await readLog(lead, context)).entries.findLast(({ offer }) => offer)!.offer!.offerId;

  /** Mail to both sides about each event so far, rendered at the current time. */
  async function mailsNow(lead: string) {
    const log = await readLog(lead, context);
    const ids = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
    return Promise.all(
      ids.map(async ({ id }) => {
        const event = (await readLeadEvent(String(id), context))!;
        const news = topicOf(event);
        return {
          provider: mailText(event, site).text,
          person: news && personMailText(news, event, log, { site }).text,
        };
      }),
    );
  }

  it('has the same content however late it is sent, plus one sentence about later changes', async () => {
    const lead = await fileRequest();
    const price = { amount: '110', currency: 'USD', expires: '48h' };
    const steps = [
      () => act(lead, 'ask', { text: 'Which hitch?' }),
      () => send(lead, { text: 'A two inch ball.' }),
      () => act(lead, 'offer', price),
      async () => send(lead, { decline: await offerOf(lead) }),
      () => act(lead, 'offer', { ...price, confirmOnAccept: true }),
      async () => send(lead, { accept: await offerOf(lead) }),
      () => send(lead, { withdraw: true }),
    ];
    const [first] = await mailsNow(lead);
    const sentAtOnce = [first!];
    for (const step of steps) {
      await step();
      sentAtOnce.push((await mailsNow(lead)).at(-1)!);
    }
    // The next steps, and the end of a hold, depend on the current state.
    const stableLines = (text: string | undefined) =>
      text
        ?.split('\nANSWER\n')[0]!
        .trimEnd()
        .split('\n')
        .filter(
          (line) =>
            !/^(Since then|It has changed|Please answer by|To write to the provider|Nobody reads|Held for you|.* here:$|.*, as it is now:$|Your request:$|Follow it)/.test(
              line,
            ),
        );
    const late = await mailsNow(lead);
    for (const [index, { provider, person }] of sentAtOnce.entries()) {
      expect(stableLines(late[index]!.provider)).toEqual(stableLines(provider));
      expect(stableLines(late[index]!.person)).toEqual(stableLines(person));
      const isNewest = index === steps.length;
      expect(late[index]!.provider.includes('“Withdrawn”')).toBe(!isNewest);
      if (person) {
        expect(person).not.toContain('Since then');
        expect(late[index]!.person!.includes('Since then: Withdrawn.')).toBe(!isNewest);
        expect(/Accept or decline it here/.test(late[index]!.person!)).toBe(false);
      }
    }
  });

  it('names the deadline if the customer waits for an answer, and explains missing answer links', async () => {
    const lead = await fileRequest();
    await act(lead, 'ask', { text: 'Which hitch?' });
    const asked = (await mailsNow(lead)).at(-1)!.provider;
    expect(asked).toContain('acknowledge the request first.');
    expect(asked).not.toContain('Confirm:');
    expect(asked).not.toContain('Please answer by');
    await send(lead, { text: 'A two inch ball.' });
    const [answered, late] = [(await mailsNow(lead)).at(-1)!, (await mailsNow(lead))[1]!];
    expect(answered.provider).toMatch(
      /^The customer replied\.\nPlease answer by \w+, \w+ \d+ at [^.]*\.\n/,
    );
    expect(answered.provider).not.toContain('acknowledge the request first.');
    expect(late.provider).not.toContain('Please answer by');
    await act(lead, 'offer', { amount: '110', currency: 'USD', expires: '48h' });
    await send(lead, { accept: await offerOf(lead) });
    expect((await mailsNow(lead)).at(-1)!.provider).toMatch(/the request\.\nPlease answer by /);
  });

  it('is not sent to a customer who left only a phone number, and the inbox says so', async () => {
    const contact = { phone: '+17275550142' };
    const lead = await file(context, holdVerb, contact, {
      [effect.itemField]: itemsOf(site.registry, effect.catalog)[1]!.id,
      [effect.fromField]: '2031-05-06',
      [effect.toField!]: '2031-05-08',
    });
    const log = await readLog(lead, context);
    expect(await readReach({ reference: log.reference!, log }, context)).toBe(
      'The customer sees it only on their page: they left no email address. Call them at (727) 555-0142.',
    );
  });

  it('repeats the choices and numbers of the request, and no text', async () => {
    const verbWithChoice = verbsOf(site).find(
      ({ action }) => !action.effect && Object.values(action.fields).some((field) => field.enum),
    )!;
    const [name, field] = Object.entries(verbWithChoice.action.fields).find(([, one]) => one.enum)!;
    const value = field.enum![0]!;
    const lead = await file(
      context,
      verbWithChoice,
      { email: 'ann@example.com' },
      { [name]: value },
    );
    const { person } = (await mailsNow(lead))[0]!;
    expect(person).toContain(`\n${labelOf(name, field)}: ${valueInWords(value, field)}\n`);
    const { fields } = await readLog(lead, context);
    for (const [other, text] of Object.entries(fields))
      if (!kindOf(verbWithChoice.action.fields[other]!).isNeverPersonal)
        expect(person).not.toContain(text);
  });

  it('does not invite messages to a request that takes none', async () => {
    const lead = await fileRequest();
    await act(lead, 'confirm');
    const confirmed = (await mailsNow(lead)).at(-1)!.person!;
    expect(confirmed).toContain('To write to the provider, open that page.');
    expect(confirmed).toContain(`Add it to your calendar: ${site.base}/receipt/${lead}/calendar`);
    await send(lead, { withdraw: true });
    for (const { person } of (await mailsNow(lead)).filter(({ person }) => person)) {
      expect(person).not.toContain('To write to the provider, open that page.');
      expect(person).toContain('To reach the provider, call.');
    }
    expect((await mailsNow(lead)).at(-1)!.person).toContain('Remove it from your calendar: ');
  });

  it('names the day of a confirmed request that is withdrawn, to both sides', async () => {
    const lead = await fileRequest();
    await act(lead, 'confirm');
    await send(lead, { withdraw: true });
    const { provider, person } = (await mailsNow(lead)).at(-1)!;
    const [first] = provider.split('\n');
    expect(first).toContain('which you had confirmed for Tuesday, May 6, 2031 to Thursday');
    expect(person).toMatch(/^Your .*request was withdrawn\./);
    expect((await receiptOf(fixture, lead)).state.words).toBe('withdrawn_confirmed');
    const other = await fileRequest();
    await send(other, { withdraw: true });
    const open = (await mailsNow(other)).at(-1)!;
    expect(open.provider).toMatch(/^The customer withdrew this request\. There is nothing/);
    expect(open.person).toBeUndefined();
    expect((await receiptOf(fixture, other)).state.words).toBe('withdrawn');
  });
});

it.each(verbsOf(site).filter(({ action }) => action.visitField !== undefined))(
  'the visit of $label shows its time, and asks for the address if none was given',
  async ({ subsite, action }) => {
    for (const given of ['', '12 Oak Street, mornings']) {
      const visit = visitOf(subsite, action, { [action.visitField!]: given });
      expect(visit.address).toBeUndefined();
      const text = visitInWords(visit)
        .map((pair) => pair.join(': '))
        .join('\n');
      expect(text.includes('as you described it')).toBe(given !== '');
      expect(text.includes('the address in a message')).toBe(given === '');
      expect(text).toContain('agree on a time with you');
      // The text of the confirmation may name the time already.
      const written = visitInWords(visitOf(subsite, action, {}, 'Monday at 9.')).join();
      expect(written).not.toContain('agree on a time with you');
      expect(written).toContain(`As ${subsite.title} wrote.`);
    }
  },
);

it('erasing and withdrawing do not count against the write limit', async () => {
  const fixture = await openFixture(site);
  const kinds: string[] = [];
  const { form } = client(fixture, async (_, kind) => {
    kinds.push(kind);
    return { headers: {} };
  });
  const { lead } = await leadIn(fixture, 'new');
  await form(`/receipt/${lead}/withdraw`, { sure: 'yes' });
  await form(`/receipt/${lead}/erase`, { sure: 'yes' });
  await form(`/receipt/${lead}`, { text: 'x' });
  expect(kinds).toEqual(['reads', 'reads', 'writes']);
});
