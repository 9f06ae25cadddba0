import { describe, expect, it } from 'vitest';
import { readAnswerNotifications } from '../../src/leads/conversation/answer-lead.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import { mentionsTime } from '../../src/leads/status/agreement.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { topicOf } from '../../src/leads/deliveries/person/person-mail-topic.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import type { HoldEffect } from '../../src/registry/schemas/action.ts';
import { statusOf } from '../../src/leads/status/lead-status.ts';
import { formatFieldValue, isNeverPersonal } from '../../src/fields/fields.ts';
import { actionOf, itemsOf } from '../../src/site/registry.ts';
import { addSalesTax, computeTax } from '../../src/site/prices/sales-tax.ts';
import { formatMoney, formatPromisedTime } from '../../src/site/words/words.ts';
import { labelOf } from '../../src/site/words/field-words.ts';
import type { Channel } from '../../src/leads/deliveries/channel.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { change as changeText } from '../../src/text/index.ts';
import { drain, submitLead } from '../deliveries/setup/drain.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { client } from '../transports/setup/send.ts';
import { site } from './leads-in-states.ts';
import { receiptOf } from './receipt-view.ts';

/** The steps that a late email lists, without their times. */
const listLaterSteps = (text: string | undefined): string[] =>
  (/\nSince then:\n((?:- .*\n)+)/.exec(text ?? '')?.[1]?.match(/^- .*$/gm) ?? []).map((line) =>
    line.replace(/^- (.*?), \w+, .*$/, '$1'),
  );

describe('email about the changes of a lead', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const holdAction = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;
  const effect = holdAction.action.effect as HoldEffect;
  const questionAction = listActions(site).find(({ action }) => action.purpose === 'question')!;
  const visitAction = listActions(site).find(({ action }) => action.visitField !== undefined)!;
  const silentChannel: Channel = {
    name: 'mail',
    accepts: () => true,
    send: async () => ({ outcome: 'sent' }),
  };
  const submitRequest = () =>
    submitLead(context, holdAction, undefined, {
      [effect.itemField]: itemsOf(site.registry, effect.catalog)[0]!.id,
      [effect.fromField]: '2031-05-06',
      [effect.toField!]: '2031-05-08',
    });
  const sendAction = (lead: string, name: ProviderAction, body: object = {}) =>
    sendAsProvider({ receiptToken: lead, action: name, actor: 'provider' }, body, context);
  const send = (lead: string, body: object) =>
    client(fixture).json('/api/lead/{receipt}/messages', body, { params: { receipt: lead } });
  const offerOf = async (lead: string) =>
    (await readLog(lead, context)).entries.findLast(({ offer }) => offer)!.offer!.offerId;

  /** Mail to both sides about each event so far, rendered at the current time. */
  async function renderCurrentMails(lead: string) {
    const log = await readLog(lead, context);
    const ids = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
    return Promise.all(
      ids.map(async ({ id }) => {
        const event = (await readLeadEvent(String(id), context))!;
        const news = topicOf(event);
        return {
          provider: renderMail(event, site, shownTermsOf(log, context.now(), site)).text,
          person: news && renderPersonMail(news, event, log, { site, now: context.now() }).text,
        };
      }),
    );
  }

  it('about a cancellation has its reason, not the text of an earlier change', async () => {
    const lead = await submitRequest();
    await sendAction(lead, 'confirm', { text: 'At 8 am.' });
    await sendAction(lead, 'confirm', { text: 'At 9 am.' });
    await sendAction(lead, 'decline', { text: 'The truck broke down.' });
    expect((await receiptOf(fixture, lead)).newMessages).toEqual(['The truck broke down.']);
    expect((await renderCurrentMails(lead)).at(-1)!.person).toContain('| The truck broke down.');
    expect((await renderCurrentMails(lead)).at(-1)!.person).not.toContain('| At 9 am.');
  });

  it('about the end of an agreed request names what no longer applies, to both sides', async () => {
    const visit = () => submitLead(context, visitAction);
    for (const submit of [submitRequest, visit])
      for (const end of ['customer', 'provider']) {
        const lead = await submit();
        await sendAction(lead, 'confirm', { text: 'Ring twice.\nWe come on Tuesday at 2 pm.' });
        await sendAction(lead, 'confirm', { text: 'We come on Monday at 3 pm.' });
        await sendAction(lead, 'reply', { text: 'Make that 4 pm.' });
        await sendAction(lead, 'reply', { text: 'Thanks for your patience.' });
        if (end === 'customer') await send(lead, { withdraw: true });
        else await sendAction(lead, 'decline', { text: 'The truck broke down.' });
        const { provider, person } = (await renderCurrentMails(lead)).at(-1)!;
        for (const text of [provider, person])
          expect(text!.split('\n')[0]).toMatch(
            /This no longer applies: “We come on Monday at 3 pm\. Make that 4 pm\.”/,
          );
      }
    const accepted = await visit();
    await sendAction(accepted, 'offer', {
      ...{ amount: '45', currency: 'USD', expires: '48h' },
      text: 'We come on Friday at 9 am.',
    });
    await send(accepted, { accept: await offerOf(accepted) });
    await send(accepted, { withdraw: true });
    expect((await renderCurrentMails(accepted)).at(-1)!.provider).toMatch(
      /^The customer canceled [^\n]*: “We come on Friday at 9 am\.”/,
    );
  });

  it('about a reply quotes what the customer had read last', async () => {
    const lead = await submitRequest();
    const latestMail = async () => (await renderCurrentMails(lead)).at(-1)!.provider;
    await send(lead, { text: 'Is it red?' });
    expect(await latestMail()).not.toContain('previous message');
    await sendAction(lead, 'ask', { text: 'Which hitch?' });
    await send(lead, { text: 'A two inch ball.' });
    expect(await latestMail()).toContain(
      '| A two inch ball.\n\nThe previous message to the customer:\n| Which hitch?\n',
    );
    await send(lead, { withdraw: true, text: 'No, thanks.' });
    expect(await latestMail()).not.toContain('previous message');
  });

  it('about a new request says once that the customer gets no email', async () => {
    const contact = { phone: '+17275550142' };
    const lead = await submitLead(context, visitAction, contact);
    const notice = 'The customer left no email address';
    expect((await renderCurrentMails(lead))[0]!.provider.split(notice)).toHaveLength(2);
    await sendAction(lead, 'reply', { text: 'We will call.' });
    const { provider } = (await renderCurrentMails(lead)).at(-1)!;
    expect(provider.split('they left no email address')).toHaveLength(2);
    expect(provider).toContain('The customer may not know about your answer until you call them.');
    expect(provider).not.toMatch(/gets no email|The customer left/);
  });

  it('asks to offer a declined price again only if the offer was for the same days', async () => {
    const words = 'To agree on its price, send the offer again.';
    const price = { amount: '130', currency: 'USD', expires: '48h' };
    for (const [days, isSame] of [
      [{}, true],
      [{ from: '2031-06-06', to: '2031-06-08' }, false],
    ] as const) {
      const lead = await submitRequest();
      await sendAction(lead, 'offer', { ...price, ...days });
      await send(lead, { decline: await offerOf(lead) });
      const { provider } = (await renderCurrentMails(lead)).at(-1)!;
      expect(provider.includes(words)).toBe(isSame);
      await send(lead, { withdraw: true });
    }
  });

  it('describes the moment of sending, and is not sent once a later event makes it out of date', async () => {
    const lead = await submitRequest();
    const price = { amount: '110', currency: 'USD', expires: '48h' };
    await sendAction(lead, 'ask', { text: 'Which hitch?' });
    await send(lead, { text: 'A two inch ball.' });
    await sendAction(lead, 'offer', price);
    await sendAction(lead, 'reply', { text: 'The yard opens at 7.' });
    await sendAction(lead, 'offer', { ...price, amount: '120' });
    const subjects = async () =>
      (await renderCurrentMails(lead)).map(({ person }) => person?.split('\n')[0]);
    // The answered question and the replaced offer would only confuse the reader.
    expect(await subjects()).toEqual([
      expect.stringMatching(/^We have your /),
      undefined,
      undefined,
      undefined,
      expect.stringMatching(/ wrote to you /),
      expect.stringMatching(/ made you a new offer /),
    ]);
    const message = async () => (await renderCurrentMails(lead))[4]!.person!;
    expect(await message()).toContain('The offer is still open:\nPrice: you pay $120');
    expect((await renderCurrentMails(lead))[2]!.provider).toMatch(
      /^The customer replied\.\nThe request has changed since then: it is now “Offer sent”\.\nNo answer is due/,
    );
    await send(lead, { accept: await offerOf(lead) });
    await sendAction(lead, 'confirm', { text: 'At 8 am.' });
    expect(listLaterSteps(await message())).toEqual([
      'New offer, replacing the previous one',
      'You accepted the offer',
      'Confirmed',
    ]);
    expect(await message()).not.toMatch(/still open|After you accept|not a confirmed/);
    expect((await subjects()).slice(5)).toEqual([
      undefined,
      undefined,
      expect.stringMatching(/ is confirmed\.$/),
    ]);
    await sendAction(lead, 'confirm', { text: 'At 9 am.' });
    expect((await renderCurrentMails(lead))[7]!.person).toMatch(
      /Since then:\n- New time or other details, .*\n\n\| At 9 am\./,
    );
    await send(lead, { withdraw: true });
    expect((await subjects()).slice(5)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      expect.stringMatching(/ is canceled\./),
    ]);
  });

  it('says that an offer which has ended by the time of sending has expired', async () => {
    const lead = await submitRequest();
    const price = { amount: '110', currency: 'USD', expires: '2h', confirmOnAccept: true };
    await sendAction(lead, 'offer', price);
    await sendAction(lead, 'reply', { text: 'The yard opens at 7.' });
    fixture.advanceHours(3);
    const mails = (await renderCurrentMails(lead)).map(({ person }) => person!);
    fixture.advanceHours(-3);
    for (const text of mails.slice(1)) {
      expect(text).toContain('offer has expired.');
      expect(text).not.toMatch(/Accept or decline it here|Accepting it confirms|After you accept/);
    }
    await send(lead, { withdraw: true });
  });

  it('says that a message which the provider answered in the meantime is answered', async () => {
    const lead = await submitRequest();
    await sendAction(lead, 'acknowledge');
    await send(lead, { text: 'Is there a ramp?' });
    await sendAction(lead, 'reply', { text: 'Yes.' });
    expect((await renderCurrentMails(lead))[2]!.provider).toMatch(
      /^The customer wrote to you\.\nYou have written since then\.\nIf you do not confirm by /,
    );
    expect((await renderCurrentMails(lead))[0]!.provider).toMatch(
      /^You have a new request\.\nThe request has changed since then: it is now “In progress”\.\nIf you do not confirm by /,
    );
    await send(lead, { withdraw: true });
  });

  it('states the deadline if the customer is waiting for an answer, and explains missing answer links', async () => {
    const lead = await submitRequest();
    await sendAction(lead, 'ask', { text: 'Which hitch?' });
    const questionMail = (await renderCurrentMails(lead)).at(-1)!.provider;
    expect(questionMail).toContain('first choose “Continue without the answer”');
    expect(questionMail).not.toContain('Confirm:');
    expect(questionMail).not.toContain('Please answer by');
    await send(lead, { text: 'A two inch ball.' });
    const answered = (await renderCurrentMails(lead)).at(-1)!;
    expect(answered.provider).toMatch(
      /^The customer replied\.\nPlease answer by \w+, \w+ \d+ at [^.]*\.\n/,
    );
    expect(answered.provider).not.toContain('first choose “Continue without the answer”');
    await sendAction(lead, 'offer', { amount: '110', currency: 'USD', expires: '48h' });
    await send(lead, { accept: await offerOf(lead) });
    expect((await renderCurrentMails(lead)).at(-1)!.provider).toMatch(
      /^The customer accepted your offer\. Agreed: the customer pays \$110[^\n]*\.\nPlease answer by .*\nIf you do not confirm by .*\n\n[^]*\nConfirm:\n.*\nhttps:\/\/\S+\/answer\/\S+\.confirm\.\S+\n/,
    );
  });

  it('shows both sides the open offer with each message, and what the offer includes once it is accepted', async () => {
    const lead = await submitRequest();
    const price = { amount: '110', currency: 'USD', expires: '48h', description: 'Ball mount.' };
    await sendAction(lead, 'offer', { ...price, confirmOnAccept: true });
    const open = /\nIncludes:\n\| Ball mount\.\nOpen until: \w+, /;
    await sendAction(lead, 'reply', { text: 'Any questions?\nPrice: you pay $45' });
    const messageMail = (await renderCurrentMails(lead)).at(-1)!.person!;
    expect(messageMail).toMatch(open);
    expect(messageMail).toContain('\nPrice: you pay $110 plus $7.70 sales tax = $117.70\n');
    // A message cannot pass for the offer.
    expect(messageMail).toContain('| Any questions?\n| Price: you pay $45\n');
    expect(messageMail).toContain('The offer is still open:');
    expect(messageMail).toContain('Accepting it confirms the request;');
    await send(lead, { text: 'Is that with the ball mount?' });
    const replyMail = (await renderCurrentMails(lead)).at(-1)!.provider;
    expect(replyMail).toMatch(open);
    expect(replyMail).toContain('\nPrice: the customer pays $110 plus $7.70 sales tax = $117.70\n');
    expect(replyMail).toContain('Your offer is still open:');
    await send(lead, { accept: await offerOf(lead) });
    const { provider, person } = (await renderCurrentMails(lead)).at(-1)!;
    for (const text of [provider, person!]) {
      expect(text).toContain('\nIncludes:\n| Ball mount.\n');
      expect(text).not.toContain('still open');
    }
  });

  it('is not sent to a customer who left only a phone number, and the inbox says so', async () => {
    const contact = { phone: '+17275550142' };
    const lead = await submitLead(context, holdAction, contact, {
      [effect.itemField]: itemsOf(site.registry, effect.catalog)[1]!.id,
      [effect.fromField]: '2031-05-06',
      [effect.toField!]: '2031-05-08',
    });
    const log = await readLog(lead, context);
    expect((await readAnswerNotifications(log.reference!, log, ['reply'], context))[0]!.text).toBe(
      'The customer sees this only on their page: they left no email address. Call them at (727) 555-0142.',
    );
  });

  it('repeats the choices and numbers in the request, but no text', async () => {
    const actionWithChoice = listActions(site).find(
      ({ action }) => !action.effect && Object.values(action.fields).some((field) => field.enum),
    )!;
    const [name, field] = Object.entries(actionWithChoice.action.fields).find(
      ([, candidate]) => candidate.enum,
    )!;
    const value = field.enum![0]!;
    const lead = await submitLead(
      context,
      actionWithChoice,
      { email: 'ann@example.com' },
      { [name]: value },
    );
    const { person } = (await renderCurrentMails(lead))[0]!;
    expect(person).toContain(`\n${labelOf(name, field)}: ${formatFieldValue(value, field)}\n`);
    const { fields } = await readLog(lead, context);
    for (const [other, text] of Object.entries(fields))
      if (!isNeverPersonal(actionWithChoice.action.fields[other]!, text))
        expect(person).not.toContain(text);
  });

  it('does not invite messages about a request that accepts none', async () => {
    const lead = await submitRequest();
    await sendAction(lead, 'confirm');
    const confirmed = (await renderCurrentMails(lead)).at(-1)!.person!;
    const { title } = holdAction.subsite;
    expect(confirmed).toContain(`To write to ${title}, open that page.`);
    expect(confirmed).toContain(`Add to your calendar: ${site.base}/receipt/${lead}/calendar`);
    await send(lead, { withdraw: true });
    for (const { person } of (await renderCurrentMails(lead)).filter(({ person }) => person)) {
      expect(person).not.toContain(`To write to ${title}, open that page.`);
      expect(person).toContain(`To reach ${title}, call (`);
    }
    expect((await renderCurrentMails(lead)).at(-1)!.person).toContain(
      'Remove from your calendar: ',
    );
  });

  it('tells the provider what is due next, and when a new request expires', async () => {
    const lead = await submitRequest();
    const newest = async () => (await renderCurrentMails(lead)).at(-1)!.provider;
    const { hold } = await readLog(lead, context);
    const expiry = formatPromisedTime(hold!.expiresAt!, site.registry.network.timeZone);
    expect(await newest()).toContain(
      `If nobody answers, it expires together with its hold, which lasts until ${expiry}.\n`,
    );
    const nothingDueText = 'No answer is due from you until the customer writes.';
    await sendAction(lead, 'acknowledge');
    expect(await newest()).toContain('Please answer by ');
    expect(await newest()).not.toContain(nothingDueText);
    const leadWithNote = await submitLead(context, questionAction);
    await sendAction(leadWithNote, 'acknowledge', { text: 'We look for one.' });
    const mailAfterNote = (await renderCurrentMails(leadWithNote)).at(-1)!.provider;
    const { respondBy } = statusOf(await readLog(leadWithNote, context), context.now(), site);
    expect(mailAfterNote.includes(nothingDueText)).toBe(respondBy === undefined);
    expect(await newest()).toContain(`If you do not confirm by ${expiry}, the hold ends,`);
    await sendAction(lead, 'reply', { text: 'It has a spare tire.' });
    expect(await newest()).toContain(`If you do not confirm by ${expiry}, the hold ends,`);
    expect(await newest()).not.toContain(nothingDueText);
    await sendAction(lead, 'offer', { amount: '95', currency: 'USD', expires: '24h' });
    expect(await newest()).toContain(nothingDueText);
    expect(await newest()).toContain('If the customer does not accept your offer by ');
    await send(lead, { text: 'Is there a ramp?' });
    expect(await newest()).toContain('Please answer by ');
    await sendAction(lead, 'decline');
    expect(await newest()).not.toContain(nothingDueText);
  });

  it('says when the hold ends while a question is open, and otherwise that there is no deadline', async () => {
    const lead = await submitRequest();
    await sendAction(lead, 'ask', { text: 'Which hitch?' });
    const { provider, person } = (await renderCurrentMails(lead)).at(-1)!;
    const { hold } = await readLog(lead, context);
    const until = formatPromisedTime(hold!.expiresAt!, site.registry.network.timeZone);
    expect(person).not.toContain('no deadline');
    expect(person).toContain(`Held for you until: ${until}.`);
    expect(provider).not.toContain('no deadline');
    expect(provider).toContain(`Your hold for them ends ${until}, unless you confirm first.`);
    await sendAction(lead, 'decline');
    const visit = await submitLead(context, visitAction);
    await sendAction(visit, 'ask', { text: 'Which floor?' });
    expect((await renderCurrentMails(visit)).at(-1)!.person).toContain('There is no deadline');
  });

  it('tells the provider how to give a customer with booked days other days', async () => {
    const newest = async (lead: string) => (await renderCurrentMails(lead)).at(-1)!.provider;
    const lead = await submitRequest();
    await send(lead, { text: 'Is there a ramp?' });
    expect(await newest(lead)).not.toContain('The booked days stay the same.');
    await sendAction(lead, 'confirm');
    await send(lead, { text: 'Could I have May 12 instead?' });
    expect(await newest(lead)).toContain(
      'The booked days stay the same. For different days, the customer has to send a new request;',
    );
    await send(lead, { withdraw: true });
  });

  it('lists the message first among the answers to a question', async () => {
    const titles = async (lead: string) =>
      Array.from(
        (await renderCurrentMails(lead))[0]!.provider.matchAll(/^(\w.*):\n(?:.*\n)?https/gm),
        ([, title]) => title,
      );
    expect((await titles(await submitLead(context, questionAction)))[0]).toBe(
      'Write to the customer',
    );
    const hold = await submitRequest();
    expect((await titles(hold))[0]).toBe('Acknowledge');
    await send(hold, { withdraw: true });
  });

  it('tells both sides the day of a confirmed request that is withdrawn', async () => {
    const lead = await submitRequest();
    await sendAction(lead, 'confirm');
    await send(lead, { withdraw: true });
    const { provider, person } = (await renderCurrentMails(lead)).at(-1)!;
    const [first] = provider.split('\n');
    expect(first).toContain('which you had confirmed for Tuesday, May 6, 2031 to Thursday');
    expect(person).toMatch(/^Your .*request is canceled\./);
    expect(person).toMatch(/^Send a new request: https:\S+#\w+$/m);
    expect((await receiptOf(fixture, lead)).state.headlineKey).toBe('withdrawn_confirmed');
  });

  it('tells both sides the total with sales tax', async () => {
    const lead = await submitRequest();
    const newest = async () => (await renderCurrentMails(lead)).at(-1)!;
    const { salesTaxPercent } = actionOf(site.registry, await readLog(lead, fixture.context))!;
    const [item] = itemsOf(site.registry, effect.catalog);
    const total = 3 * item!.price!.amount;
    const withTax = formatMoney(addSalesTax(total, salesTaxPercent!), 'USD');
    expect((await newest()).provider).toContain(`| With sales tax: ${withTax}`);
    await sendAction(lead, 'offer', { amount: '105', currency: 'USD', expires: '48h' });
    const { tax, total: taxedTotal } = computeTax('105', salesTaxPercent);
    const price = `pays $105 plus $${tax} sales tax = $${taxedTotal}`;
    expect((await newest()).provider).toContain(`Price: the customer ${price}`);
    expect((await newest()).person).toContain(`Price: you ${price.replace('pays', 'pay')}`);
    await sendAction(lead, 'confirm');
    expect((await newest()).provider).toContain(`, ${withTax} with sales tax. The open offer`);
    await send(lead, { withdraw: true });
  });

  it('tells the provider what an erasure ends', async () => {
    const [item] = itemsOf(site.registry, effect.catalog);
    const booking = `${item!.title}, Tuesday, May 6, 2031 to Thursday, May 8, 2031`;
    for (const [submit, isConfirmed, words] of [
      [
        submitRequest,
        false,
        ` It had not been confirmed. This is no longer held: ${booking}. Please erase`,
      ],
      [
        submitRequest,
        true,
        ` You had confirmed it: ${booking}. That booking is canceled. Please erase`,
      ],
      [
        () => submitLead(context, visitAction),
        true,
        ' You had confirmed it. Your confirmation no longer applies. Please erase',
      ],
    ] as const) {
      const lead = await submit();
      if (isConfirmed) await sendAction(lead, 'confirm');
      await drain([silentChannel], context);
      await eraseLead(lead, 'person', context);
      const erasure = (await fixture.rows('outbox')).findLast((row) => row['lead'] === lead)!;
      const event = (await readLeadEvent(String(erasure['id']), context))!;
      expect(renderMail(event, site).text).toContain(words);
    }
  });

  it('asks the provider to agree on a time if a confirmed visit has none', async () => {
    const newest = async (lead: string) => (await renderCurrentMails(lead)).at(-1)!.provider;
    const openTimeText =
      'You did not name a time, so we told the customer that the two of you will agree on one';
    const lead = await submitLead(context, visitAction);
    await sendAction(lead, 'confirm');
    expect(await newest(lead)).toContain(openTimeText);
    expect(await newest(lead)).not.toContain('No answer is due');
    await sendAction(lead, 'reply', { text: 'We will come on Tuesday at 9.' });
    expect(await newest(lead)).not.toContain(openTimeText);
    const timed = await submitLead(context, visitAction);
    await sendAction(timed, 'confirm', { text: 'We will come on Tuesday at 9.' });
    expect(await newest(timed)).not.toContain(openTimeText);
    for (const text of [
      'Saturday between 8 and 10.',
      'Saturday, 8-10, weather permitting',
      'Saturday 8 \u2013 10 if that suits you',
      'Sunday works, 10 to 12.',
      'After lunch around 2 on Friday',
      'Any day after 4.',
    ])
      expect([text, mentionsTime(text)]).toEqual([text, true]);
    for (const text of [
      'We will send 8-10 people.',
      'It takes between 2 and 3 days.',
      'Call (727) 555-0142 or 2-1-1.',
      'We need 2 to 3 weeks.',
      'The filter is 10-12-1 or 16x20.',
      'After 2 visits it is free.',
      'We were there 5/8-12/8.',
    ])
      expect([text, mentionsTime(text)]).toEqual([text, false]);
    const asked = await submitLead(context, visitAction);
    await sendAction(asked, 'ask', { text: 'Is there a gate code?' });
    await sendAction(asked, 'acknowledge');
    await sendAction(asked, 'confirm');
    expect(await newest(asked)).toContain(openTimeText);
    const thanked = await submitLead(context, visitAction);
    await sendAction(thanked, 'reply', { text: 'Thank you for your call.' });
    await sendAction(thanked, 'confirm');
    expect(await newest(thanked)).toContain(openTimeText);
  });

  it('shows both sides the changed time of a visit, and marks the time before as replaced', async () => {
    const lead = await submitLead(context, visitAction);
    await sendAction(lead, 'confirm', { text: 'We will come on Wednesday at 2 PM.' });
    await sendAction(lead, 'reply', { text: 'Thursday would suit us better.' });
    await sendAction(lead, 'reply', { text: 'Please clear the attic access.' });
    const refused = await problemOf(() => sendAction(lead, 'confirm'));
    expect(refused.errors).toMatchObject([{ pointer: '/text' }]);
    const text = 'We will come on Thursday at 9 AM.';
    const atticText = 'Please clear the attic access.';
    await sendAction(lead, 'confirm', { text });
    expect((await problemOf(() => sendAction(lead, 'confirm', { text }))).code).toBe('conflict');
    const other = await submitLead(context, visitAction);
    await sendAction(other, 'confirm', { text });
    await send(other, { text: 'Could you come on Friday instead?' });
    const unchanged = await problemOf(() => sendAction(other, 'confirm', { text: ` ${text} ` }));
    expect(unchanged.errors).toEqual([{ pointer: '/text', message: changeText.unchanged }]);
    const { provider, person } = (await renderCurrentMails(lead)).at(-1)!;
    expect(provider).toContain('You changed the time or other details of the confirmed request.');
    expect(provider).toContain(`Message to the customer:\n|   Please clear the attic access.`);
    expect(provider).toContain('Change the time:\nhttp');
    expect(person).toMatch(
      / changed the time or other details of your confirmed .*\n\| We will come on T/s,
    );
    const view = await receiptOf(fixture, lead);
    expect(view.agreement).toMatchObject({
      texts: [atticText, text],
      changedAt: expect.any(String),
    });
    expect([...view.laterMessages, ...view.newMessages]).toEqual([]);
    const { visit, messages, history } = view.lead;
    expect(visit).toMatchObject({ agreed: [atticText, text], changedAt: messages[3]!.at });
    expect(visit!.time).toBe(`See the message from ${visitAction.subsite.title}.`);
    expect(person).toContain('What they wrote earlier about the time no longer applies.');
    expect(view.agreement!.changeKind).toBe('time');
    expect(messages.map(({ replacedAt }) => replacedAt)).toEqual([
      messages[3]!.at,
      messages[3]!.at,
      undefined,
      undefined,
    ]);
    expect(history.map(({ status }) => status)).toEqual(['new', 'confirmed']);
    const steps = view.timeline.map(({ step }) => step);
    expect(steps).toEqual(['new', 'confirmed', 'message', 'message', 'change']);
    await sendAction(lead, 'reply', { text: 'Please clear the driveway.' });
    const later = await receiptOf(fixture, lead);
    expect([later.agreement!.texts, later.newMessages]).toEqual([
      [atticText, text],
      ['Please clear the driveway.'],
    ]);
    expect([visit!.updates, later.lead.visit!.updates]).toEqual([
      undefined,
      ['Please clear the driveway.'],
    ]);
  });

  it('says that a first time is set, not that it replaces another', async () => {
    const lead = await submitLead(context, visitAction);
    await sendAction(lead, 'confirm');
    await sendAction(lead, 'reply', { text: 'Please clear the driveway.' });
    await sendAction(lead, 'confirm', { text: 'between 7 and 8 am' });
    const { person } = (await renderCurrentMails(lead)).at(-1)!;
    expect(person).toMatch(/ set the time for your confirmed .*:\n\n?\| between 7 and 8 am/);
    expect(person).not.toContain('no longer applies');
    const { agreement, lead: status } = await receiptOf(fixture, lead);
    expect(agreement!.changeKind).toBe('firstTime');
    expect(status.visit!.time).toBe(`See the message from ${visitAction.subsite.title}.`);
    const other = await submitLead(context, visitAction);
    await sendAction(other, 'confirm');
    await sendAction(other, 'confirm', { text: 'Please clear the driveway.' });
    expect((await receiptOf(fixture, other)).agreement!.changeKind).toBe('other');
    expect((await renderCurrentMails(other)).at(-1)!.person).not.toContain('no longer applies');
  });

  it('calls no question a part of what was agreed', async () => {
    const lead = await submitLead(context, visitAction);
    await sendAction(lead, 'reply', { text: 'Would Tuesday work?' });
    await sendAction(lead, 'confirm', { text: 'See you at 9 AM.' });
    const { agreement } = await receiptOf(fixture, lead);
    expect(agreement!.texts).toEqual(['See you at 9 AM.']);
  });

  it('says when the provider wrote each of two equal texts', async () => {
    const lead = await submitLead(context, visitAction);
    for (const action of ['reply', 'reply', 'confirm'] as const) {
      fixture.advanceHours(1);
      await sendAction(lead, action, { text: 'Please clear the driveway.' });
    }
    const { agreement, lead: shown } = await receiptOf(fixture, lead);
    expect(agreement!.times).toEqual(shown.messages.map(({ at }) => at));
    expect(new Set(agreement!.times).size).toBe(3);
  });

  it('counts a confirmation, a change or an accepted offer as the agreement even if it ends with a question', async () => {
    const lead = await submitLead(context, visitAction);
    const texts = [
      'We will come on Tuesday at 9 AM. Is that fine?',
      'Sorry, at 3 PM. Is that fine?',
    ];
    for (const text of texts) {
      await sendAction(lead, 'confirm', { text });
      const { agreement, lead: shown, isVisitTimeOpen } = await receiptOf(fixture, lead);
      expect([agreement?.texts, shown.visit?.agreed, isVisitTimeOpen]).toEqual([
        [text],
        [text],
        false,
      ]);
    }
    const offered = await submitLead(context, visitAction);
    const price = { amount: '95', currency: 'USD', expires: '48h', confirmOnAccept: true };
    await sendAction(offered, 'offer', { ...price, text: texts[0] });
    await send(offered, { accept: await offerOf(offered) });
    expect((await receiptOf(fixture, offered)).agreement?.texts).toEqual([texts[0]]);
  });

  it.each([
    'We will come on December 3.',
    'We will come on Dec. 3.',
    'We will come on the 3rd of December.',
  ])('replaces “%s” with a later change of the day', async (text) => {
    const lead = await submitLead(context, visitAction);
    await sendAction(lead, 'confirm', { text: 'Thank you.' });
    await sendAction(lead, 'reply', { text });
    await sendAction(lead, 'confirm', { text: 'We will come on December 5 instead.' });
    expect((await receiptOf(fixture, lead)).agreement!.texts).toEqual([
      'We will come on December 5 instead.',
    ]);
  });

  it('counts the text of an accepted offer as the time of a visit', async () => {
    const lead = await submitLead(context, visitAction);
    const offer = { amount: '95', currency: 'USD', expires: '48h' };
    await sendAction(lead, 'offer', { ...offer, description: 'Emergency visit\ntoday at 8 AM' });
    await send(lead, { accept: await offerOf(lead) });
    const accepted = (await renderCurrentMails(lead)).at(-1)!;
    expect(accepted.provider).toContain('wrote, “Emergency visit today at 8 AM”, unless');
    expect(accepted.provider).not.toContain('If you name no time');
    await sendAction(lead, 'confirm');
    const { provider, person } = (await renderCurrentMails(lead)).at(-1)!;
    expect(provider).toContain('relies on the time in your offer.');
    expect(provider).not.toContain('You did not name a time');
    expect(person).toContain('today at 8 AM');
    const { lead: shown, isVisitTimeOpen } = await receiptOf(fixture, lead);
    expect(isVisitTimeOpen).toBe(false);
    const agreementText = 'will agree on a time with you';
    expect([person, shown.visit?.time].join()).not.toContain(agreementText);
    expect(shown.visit?.time).toMatch(/^See the offer from /);
  });

  it('repeats the message of an accepted offer, and treats only words that name a time as the time', async () => {
    const lead = await submitLead(context, visitAction);
    const text = 'We will come tomorrow at 8 AM.';
    const offer = {
      amount: '95',
      currency: 'USD',
      expires: '48h',
      description: 'Diagnostic visit',
    };
    await sendAction(lead, 'offer', { ...offer, text });
    await send(lead, { accept: await offerOf(lead) });
    const accepted = (await renderCurrentMails(lead)).at(-1)!;
    expect(accepted.person).toContain(`\n| ${text}\n`);
    expect(accepted.provider).toContain(`wrote, “${text}”, unless`);
    await sendAction(lead, 'confirm');
    await sendAction(lead, 'confirm', { text: 'We will come at 9 AM instead.' });
    const { messages } = (await receiptOf(fixture, lead)).lead;
    expect(messages.map(({ replacedAt }) => replacedAt)).toEqual([messages[1]!.at, undefined]);
  });

  it('never quotes the customer in email to the person, because the address may belong to a stranger', async () => {
    const lead = await submitRequest();
    await sendAction(lead, 'confirm');
    await send(lead, { withdraw: true, text: 'Your refund: refund.example' });
    const { provider, person } = (await renderCurrentMails(lead)).at(-1)!;
    expect(provider).toContain('refund.example');
    expect(person).toBeDefined();
    expect(person).not.toContain('refund');
  });

  it('tells both sides that an open request is withdrawn, and quotes neither to the person', async () => {
    const other = await submitRequest();
    await send(other, { withdraw: true, text: 'Your refund: refund.example' });
    const open = (await renderCurrentMails(other)).at(-1)!;
    expect(open.provider).toMatch(/^The customer canceled this request\. There is nothing/);
    expect(open.person).toMatch(
      /^Your .*request is canceled\. Nothing is held or booked for you\./,
    );
    expect(open.person).not.toContain('refund.example');
    expect(open.person).toMatch(/^Send a new request: https:\S+#\w+$/m);
    expect((await receiptOf(fixture, other)).state.headlineKey).toBe('withdrawn');
  });
});
