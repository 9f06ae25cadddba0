import { describe, expect, it } from 'vitest';
import { describeVisit, visitOf } from '../../src/leads/status/visit.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import { computeExpiry } from '../../src/leads/status/request-expiry.ts';
import { createStateAfterRejection } from '../../src/leads/status/receipt-state.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { expireLeads } from '../../src/leads/expire-leads.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { latestOfferInputsOf } from '../../src/leads/conversation/offer-inputs.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { capture, submitLead } from '../deliveries/setup/drain.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { headlineOf } from '../../src/components/receipt/headline.ts';
import { findServiceOf } from '../../src/site/service-of-request.ts';
import { addDays, toDateInTimeZone, toTimeOnDay } from '../../src/site/calendar/days.ts';
import { HOUR_MS } from '../../src/site/calendar/durations.ts';
import { describeOpenState } from '../../src/site/calendar/opening-hours.ts';
import { formatPromisedTime } from '../../src/site/words/words.ts';
import { findSubsite } from '../../src/site/registry.ts';
import { listEmergencyChoices, listActions } from '../operations/setup/actions.ts';
import { client } from '../transports/setup/send.ts';
import { requestManagement, states } from '../../src/text/index.ts';
import { createLeadInState, makeOffer, site } from './leads-in-states.ts';
import { answerPageOf, receiptOf } from './receipt-view.ts';

describe('the top of a receipt', async () => {
  const fixture = await openFixture(site);
  const { json } = client(fixture);
  const send = (lead: string, body: object) =>
    json('/api/lead/{receipt}/messages', body, { params: { receipt: lead } });

  it('names what a contact form sends, and who answers if the page has no name of its own', async () => {
    const own = await openFixture(site);
    const subsite = site.registry.subsites.find(
      ({ provider, contactForm }) => provider && contactForm?.request,
    )!;
    const lead = await capture(own.context, subsite.leadSource);
    const view = await receiptOf(own, lead);
    expect(headlineOf(view, findServiceOf(site.registry, view.lead))).toBe(
      `Your ${subsite.contactForm!.request} was sent`,
    );
    const outbox = await own.rows('outbox');
    const event = outbox.find((row) => row['lead'] === lead)!['id'] as string;
    const mail = renderPersonMail(
      'receipt',
      (await readLeadEvent(event, own.context))!,
      await readLog(lead, own.context),
      { site },
    );
    for (const text of [mail.subject, mail.text]) {
      expect(text).toContain(subsite.provider);
      expect(text).not.toContain(subsite.title);
    }
  });

  it('promises a day, not a time of the night, if the service has no hours', async () => {
    const own = await openFixture(site);
    const { timeZone } = site.registry.network;
    const subsite = site.registry.subsites.find(({ contactForm, hours }) => contactForm && !hours)!;
    const lead = await capture(own.context, subsite.leadSource);
    const event = (await readLeadEvent(
      String((await own.rows('outbox')).at(-1)!['id']),
      own.context,
    ))!;
    const log = await readLog(lead, own.context);
    const { text } = renderPersonMail('receipt', event, log, { site });
    const due = new Date(log.firstAnswerDue);
    expect(text).toMatch(
      /^Answer promised by: \w+, \w+ \d+\. If you hear nothing by then, call \(\d{3}\) \d{3}-\d{4}\. Your request stays open\.$/m,
    );
    const readState = async () => {
      const { state, lead: status } = await receiptOf(own, lead);
      expect(status.respondBy).toBe(log.firstAnswerDue);
      return state.headlineKey;
    };
    const advanceTo = (time: number) =>
      own.advanceHours((time - own.context.now().getTime()) / HOUR_MS);
    const endOfDay = toTimeOnDay(
      timeZone,
      addDays(toDateInTimeZone(timeZone, due), 1),
      '00:00',
    ).getTime();
    advanceTo(endOfDay - HOUR_MS);
    expect(await readState()).not.toBe('new_late');
    advanceTo(endOfDay + HOUR_MS);
    expect(await readState()).toBe('new_late');
    const { expiryText } = await receiptOf(own, lead);
    expect(expiryText).toBe(
      `If nobody answers by ${formatPromisedTime(computeExpiry(log.firstAnswerDue), timeZone)}, this request ends, and you owe nothing.`,
    );
  });

  it('says in the email that a request without an answer stays open, but not in an emergency', async () => {
    const own = await openFixture(site);
    const [{ verb, field, value } = { verb: '', field: '', value: '' }] = listEmergencyChoices(
      site.registry,
    );
    const actions = listActions(site);
    const emergency = actions.find(({ action }) => action.verb === verb)!;
    const storefront = actions.find(({ action }) => action.effect?.kind === 'storefront')!;
    const renderReceiptMail = async (...[sent, values]: [typeof emergency, object?]) => {
      const lead = await submitLead(own.context, sent, undefined, values);
      const row = (await own.rows('outbox')).find((one) => one['lead'] === lead)!;
      const event = (await readLeadEvent(String(row['id']), own.context))!;
      return renderPersonMail('receipt', event, await readLog(lead, own.context), { site }).text;
    };
    expect(await renderReceiptMail(emergency, { [field]: value })).toMatch(
      /^Answer promised by: [^.]+$/m,
    );
    expect(await renderReceiptMail(storefront)).toMatch(
      /^Answer promised by: .+ Your request stays open\.$/m,
    );
  });

  it('of what a contact form sends mentions no booking and no payment', async () => {
    const own = await openFixture(site);
    const subsite = site.registry.subsites.find(({ contactForm }) => contactForm)!;
    const lead = await capture(own.context, subsite.leadSource);
    for (const action of [undefined, 'acknowledge', 'confirm', 'decline'] as const) {
      if (action) {
        const text = action === 'acknowledge' ? {} : { text: 'OK' };
        await sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, text, own.context);
      }
      const view = await receiptOf(own, lead);
      const event = String((await own.rows('outbox')).at(-1)!['id']);
      const { text } = renderPersonMail(
        action === 'decline' ? 'canceled' : 'receipt',
        (await readLeadEvent(event, own.context))!,
        await readLog(lead, own.context),
        { site },
      );
      expect([view.notice, text].join()).not.toMatch(/book|payment/);
      expect(view.isBooking).toBe(false);
      expect(view.lead.notice).toMatch(/book|payment/);
    }
  });

  it('shows the latest event and the deadline for the next answer', async () => {
    const { lead } = await createLeadInState(fixture, 'needs_info');
    await send(lead, { text: 'Six feet.' });
    const anyTime = expect.stringMatching(/^\d{4}-/);
    expect((await receiptOf(fixture, lead)).state).toEqual({
      headlineKey: 'answered',
      hasUnmentionedMessage: false,
      due: { deadline: anyTime, isLate: false },
    });
    const offer = await makeOffer(fixture, lead);
    await send(lead, { decline: offer });
    expect((await receiptOf(fixture, lead)).state.headlineKey).toBe('offer_declined');
    fixture.advanceHours(24 * 30);
    expect((await receiptOf(fixture, lead)).state.due?.isLate).toBe(true);
    await send(lead, { text: 'Are you there?' });
    const { lead: read } = await createLeadInState(fixture, 'acknowledged');
    expect((await receiptOf(fixture, read)).state).toEqual({
      headlineKey: 'acknowledged',
      hasUnmentionedMessage: false,
      due: { deadline: anyTime, isLate: false },
    });
    fixture.advanceHours(1);
    await send(read, { text: 'One more thing.' });
    const { state } = await receiptOf(fixture, read);
    expect(state).toMatchObject({ headlineKey: 'acknowledged', hasUnmentionedMessage: true });
    // A later message that is rejected was not sent.
    expect(createStateAfterRejection(state)).toEqual({
      ...state,
      headlineKey: 'acknowledged',
      hasUnmentionedMessage: false,
    });
  });

  it('says when the provider opens next while it is closed', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    const { timeZone } = site.registry.network;
    const subsite = findSubsite(site.registry, (await receiptOf(fixture, lead)).lead.subsite)!;
    const seen = new Set<boolean>();
    for (let hour = 0; hour < 24; hour++) {
      fixture.advanceHours(1);
      const state = describeOpenState(subsite, timeZone, fixture.context.now());
      const { closedNotice } = await receiptOf(fixture, lead);
      expect(closedNotice).toBe(
        state?.open === false
          ? state.text.replace('Closed', 'is closed').replace(', opens', ' and opens')
          : undefined,
      );
      seen.add(closedNotice !== undefined);
    }
    expect(seen.size).toBe(subsite.hours ? 2 : 1);
  });

  const answer = (lead: string, action: ProviderAction, text: string) =>
    sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, { text }, fixture.context);
  const readNewestEvent = async (lead: string) => {
    const event = (await readLeadEvent(
      String((await fixture.rows('outbox')).at(-1)!['id']),
      fixture.context,
    ))!;
    return [event, await readLog(lead, fixture.context)] as const;
  };
  const top = async (lead: string) => {
    const { state, newMessages } = await receiptOf(fixture, lead);
    return {
      headlineKey: state.headlineKey,
      hasUnmentionedMessage: state.hasUnmentionedMessage,
      newMessages,
    };
  };

  it('shows what the provider wrote since the person’s last step', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    await answer(lead, 'reply', 'We have two vans.');
    await answer(lead, 'reply', 'Both are white.');
    expect(await top(lead)).toEqual({
      headlineKey: 'message',
      hasUnmentionedMessage: false,
      newMessages: ['We have two vans.', 'Both are white.'],
    });
    await send(lead, { text: 'White is fine.' });
    expect(await top(lead)).toEqual({
      headlineKey: 'acknowledged',
      hasUnmentionedMessage: true,
      newMessages: [],
    });
    await answer(lead, 'ask', 'How many boxes?');
    await answer(lead, 'ask', 'And how many chairs?');
    const questions = ['How many boxes?', 'And how many chairs?'];
    expect(await top(lead)).toEqual({
      headlineKey: 'needs_info',
      hasUnmentionedMessage: false,
      newMessages: questions,
    });
    await send(lead, { text: 'Ten of each.' });
    await answer(lead, 'reply', 'Thanks.');
    expect(await top(lead)).toEqual({
      headlineKey: 'message',
      hasUnmentionedMessage: false,
      newMessages: ['Thanks.'],
    });
    await makeOffer(fixture, lead);
    await answer(lead, 'reply', 'The price includes both vans.');
    expect((await top(lead)).newMessages).toContain('The price includes both vans.');
    await send(lead, { text: 'Does it include fuel?' });
    expect(await top(lead)).toMatchObject({ headlineKey: 'quoted', hasUnmentionedMessage: true });
  });

  it('shows the message with the open offer once, and not the message with the offer before it', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    const offer = (amount: string, text?: string) =>
      sendAsProvider(
        { receiptToken: lead, action: 'offer', actor: 'provider' },
        { amount, currency: 'USD', expires: '48h', ...(text !== undefined && { text }) },
        fixture.context,
      );
    await answer(lead, 'reply', 'We have two vans.');
    await offer('450', 'Tuesday at 9 am.');
    await offer('400');
    expect((await top(lead)).newMessages).toEqual(['We have two vans.']);
    await offer('390', 'Wednesday at 10 am.');
    await offer('380', 'Wednesday at 10 am.');
    expect((await top(lead)).newMessages).toEqual(['We have two vans.', 'Wednesday at 10 am.']);
    const log = await readLog(lead, fixture.context);
    // The form for another offer repeats its terms, and shows the message that it would replace.
    expect(latestOfferInputsOf(log)).toMatchObject({ amount: '380.00' });
    expect(latestOfferInputsOf(log)).not.toHaveProperty('text');
    expect(shownTermsOf(log, fixture.context.now(), site).openNote).toBe('Wednesday at 10 am.');
  });

  it('shows a message as the first answer to a request', async () => {
    const { lead } = await createLeadInState(fixture, 'new');
    await answer(lead, 'reply', 'Yes, it is still here.');
    const { lead: status, ...page } = await receiptOf(fixture, lead);
    expect(status.status).toBe('new');
    expect(status.respondBy).toBeUndefined();
    expect(page).toMatchObject({
      state: { headlineKey: 'message' },
      newMessages: ['Yes, it is still here.'],
    });
    fixture.advanceHours(24 * 30);
    expect(await expireLeads(fixture.context)).toBe(0);
  });

  it('still shows what the provider wrote up to the agreement, after acceptance and confirmation', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    await answer(lead, 'reply', 'We have two vans.');
    await sendAsProvider(
      { receiptToken: lead, action: 'offer', actor: 'provider' },
      {
        amount: '120.00',
        currency: 'USD',
        expires: '48h',
        description: 'Delivery',
        text: 'Cash only.',
      },
      fixture.context,
    );
    await answer(lead, 'reply', 'We close at 5 pm.');
    await send(lead, { text: 'Fine.' });
    const { lead: status } = await receiptOf(fixture, lead);
    await send(lead, { accept: status.offer!.offerId, text: 'Yes!' });
    const agreedMessages = ['Cash only.', 'We close at 5 pm.'];
    expect(await receiptOf(fixture, lead)).toMatchObject({
      agreement: { description: 'Delivery', texts: agreedMessages },
      newMessages: [],
    });
    await answer(lead, 'confirm', 'Bring a padlock.');
    expect(await receiptOf(fixture, lead)).toMatchObject({
      agreement: { description: 'Delivery', texts: [...agreedMessages, 'Bring a padlock.'] },
      newMessages: [],
    });
    const mail = renderPersonMail('confirmed', ...(await readNewestEvent(lead)), { site });
    for (const text of ['Delivery', ...agreedMessages, 'Bring a padlock.'])
      expect(mail.text).toContain(text);
    expect(mail.text).not.toContain('Yes!');
  });

  it('does not keep the text of an offer that was not accepted, and does not deny that there is a price', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    await sendAsProvider(
      { receiptToken: lead, action: 'offer', actor: 'provider' },
      { amount: '120.00', currency: 'USD', expires: '48h', text: 'Cash only.' },
      fixture.context,
    );
    await answer(lead, 'confirm', 'Tonight at 9, $89.');
    const { agreement, endedOfferText } = await receiptOf(fixture, lead);
    expect(agreement).toMatchObject({ texts: ['Tonight at 9, $89.'] });
    expect(endedOfferText).toBe(
      'The offer ($120) was not accepted and has ended. If the message from Bayline names no price, ask for it.',
    );
  });

  it('shows messages after the confirmation, and why a request was declined or canceled', async () => {
    const { lead } = await createLeadInState(fixture, 'acknowledged');
    await answer(lead, 'confirm', 'Monday at 9.');
    expect(await receiptOf(fixture, lead)).toMatchObject({
      newMessages: [],
      agreement: { texts: ['Monday at 9.'] },
    });
    await answer(lead, 'reply', 'Please park in the back.');
    // What a contact form sends is answered, not booked.
    const confirmed = { headlineKey: 'confirmed_question', hasUnmentionedMessage: false };
    expect(await top(lead)).toEqual({ ...confirmed, newMessages: ['Please park in the back.'] });
    await send(lead, { text: 'I will.' });
    expect(await top(lead)).toEqual({
      headlineKey: 'confirmed_question',
      hasUnmentionedMessage: true,
      newMessages: [],
    });
    const { lead: status, state } = await receiptOf(fixture, lead);
    expect(state.due).toEqual({ deadline: status.respondBy, isLate: false, isOptional: true });
    await answer(lead, 'reply', 'See you on Monday.');
    await answer(lead, 'decline', 'The truck broke down.');
    const canceled = { headlineKey: 'canceled', hasUnmentionedMessage: false };
    expect(await top(lead)).toEqual({ ...canceled, newMessages: ['The truck broke down.'] });
    const { lead: declined } = await createLeadInState(fixture, 'acknowledged');
    await answer(declined, 'decline', 'We are full.');
    expect((await top(declined)).newMessages).toContain('We are full.');
  });

  it.each(listEmergencyChoices(site.registry))(
    'offers the customer a call in an emergency until the request ends, and says when an answer is due: $subsite $verb',
    async ({ subsite, verb, field, value }) => {
      const sent = listActions(site).find(({ action }) => action.verb === verb)!;
      const lead = await submitLead(fixture.context, sent, undefined, { [field]: value });
      expect(sent.subsite.name).toBe(subsite);
      const readState = async () => (await receiptOf(fixture, lead)).state;
      expect(await readState()).toMatchObject({
        headlineKey: 'new_emergency',
        shouldCallFirst: true,
      });
      await answer(lead, 'ask', 'Is the power off?');
      expect(await readState()).toMatchObject({ headlineKey: 'needs_info', shouldCallFirst: true });
      await send(lead, { text: 'Yes.' });
      const due = { isLate: false };
      expect(await readState()).toMatchObject({
        headlineKey: 'answered',
        shouldCallFirst: true,
        due,
      });
      const newest = (await fixture.rows('outbox')).findLast((row) => row['lead'] === lead)!;
      const { links } = (await readLeadEvent(String(newest['id']), fixture.context))!;
      const answerPage = await answerPageOf(fixture, links.offer!);
      expect(answerPage.formValues).toEqual({ expires: '2h' });
      const offer = await makeOffer(fixture, lead);
      const quoted = await receiptOf(fixture, lead);
      expect(quoted.state.headlineKey).toBe('quoted');
      expect(quoted.state.shouldCallFirst).toBeUndefined();
      expect(quoted.lead.notice).not.toContain('Do not wait for a written answer');
      await send(lead, { accept: offer });
      // The headline says that the provider was asked to confirm now.
      const { state: accepted, lead: acceptedLead } = await receiptOf(fixture, lead);
      expect(accepted).toMatchObject({ headlineKey: 'accepted_emergency', shouldCallFirst: true });
      expect(accepted.due).toBeUndefined();
      expect(acceptedLead.notice).not.toContain('Do not wait for a written answer');
      await answer(lead, 'confirm', 'At 5 PM.');
      expect((await readState()).shouldCallFirst).toBe(true);
      const ended = await submitLead(fixture.context, sent, undefined, { [field]: value });
      await answer(ended, 'decline', 'We are full.');
      const { state: declined } = await receiptOf(fixture, ended);
      expect(declined.shouldCallFirst).toBeUndefined();
      // Someone may still be in danger.
      expect(states[declined.headlineKey].next).toContain('still an emergency');
      const mail = renderPersonMail('declined', ...(await readNewestEvent(ended)), { site });
      expect(mail.text).toContain('still an emergency');
    },
  );

  it('says on the page, in the notice and in email that a confirmed request was canceled, not declined', async () => {
    const { lead } = await createLeadInState(fixture, 'confirmed');
    const note = 'The truck broke down.';
    await changeLead(
      { receiptToken: lead, to: 'declined', actor: 'provider', note },
      fixture.context,
    );
    const receipt = await receiptOf(fixture, lead);
    expect(receipt.state.headlineKey).toBe('canceled');
    expect(receipt.timeline.at(-1)).toMatchObject({ step: 'canceled' });
    expect(receipt.lead.notice).toMatch(/^The provider canceled this request/);
    const [event, log] = await readNewestEvent(lead);
    const mail = renderPersonMail('canceled', event, log, { site });
    expect(mail.text).not.toMatch(/decline/i);
    const terms = shownTermsOf(log, fixture.context.now(), site);
    expect(renderMail(event, site, terms).text).toContain('You canceled the request');
    const { lead: declined } = await createLeadInState(fixture, 'declined');
    expect((await receiptOf(fixture, declined)).state.headlineKey).toBe('declined_question');
  });

  it('names the state once in quotation marks if an offer ended with its request', async () => {
    const { lead, offerId } = await createLeadInState(fixture, 'quoted');
    await changeLead({ receiptToken: lead, to: 'withdrawn', actor: 'person' }, fixture.context);
    const refused = (await (
      await client(fixture).form(`/receipt/${lead}`, {
        accept: offerId,
        _key: 'a-key-of-the-form-3',
      })
    ).json()) as any;
    expect(refused.rejection.detail).toBe(
      'This offer is no longer open: the request is now “Canceled”.',
    );
  });

  it('shows people an instruction if a form has no text, and never an API term', async () => {
    const { lead } = await createLeadInState(fixture, 'needs_info');
    for (const text of ['', '   ']) {
      const refused = (await (
        await client(fixture).form(`/receipt/${lead}`, { text, _key: 'a-key-of-the-form-1' })
      ).json()) as any;
      expect(refused.rejection.errors).toEqual([
        { pointer: '/text', message: 'Enter your answer or message.' },
      ]);
    }
    const long = 'é'.repeat(4_321);
    const refused = (await (
      await client(fixture).form(`/receipt/${lead}`, { text: long, _key: 'a-key-of-the-form-2' })
    ).json()) as any;
    expect(refused.enteredText).toBe(long);
    expect(refused.rejection.errors).toEqual([
      { pointer: '/text', message: 'Shorten this to 4,000 characters. It has 4,321 now.' },
    ]);
    const [event] = await readNewestEvent(lead);
    const answered = await client(fixture).form(new URL(event.links.reply!).pathname, {
      text: long,
    });
    expect(((await answered.json()) as any).faults).toEqual({
      text: 'Shorten this to 4,000 characters. It has 4,321 now.',
    });
  });
});

it.each(listActions(site).filter(({ action }) => action.visitField !== undefined))(
  'the visit for $label shows its time, and asks for a missing address',
  async ({ subsite, action }) => {
    for (const address of ['', 'Largo, 3 rooms of furniture', '12 Oak Street, mornings']) {
      const visit = visitOf(subsite, action, {
        fields: { [action.visitField!]: address },
        status: 'confirmed',
        entries: [],
      });
      expect(visit.address).toBeUndefined();
      const text = describeVisit(visit)
        .map((pair) => pair.join(': '))
        .join('\n');
      expect(text.includes('At your address')).toBe(address.startsWith('12'));
      expect(text.includes('has what you wrote')).toBe(address.startsWith('Largo'));
      expect(text.includes('Your request has no street address: call ')).toBe(!address);
      expect(text.includes('send it in a message')).toBe(!address.startsWith('12'));
      expect(text).toContain('agree on a time with you');
      const messageEntry = {
        status: 'acknowledged',
        at: '',
        actor: 'person',
        note: '1 Elm Road',
      } as const;
      const entries = [{ ...messageEntry, note: null }, messageEntry];
      const visitWithoutAddress = visitOf(subsite, action, {
        fields: {},
        status: 'confirmed',
        entries,
      });
      expect(visitWithoutAddress.where).toBe('At your place');
      const confirmed = { status: 'confirmed', at: '', actor: 'provider', note: null } as const;
      const describeTime = (notes: (string | null)[], description?: string, texts: string[] = []) =>
        visitOf(
          subsite,
          action,
          {
            fields: {},
            status: 'confirmed',
            entries: notes.map((note) => ({ ...confirmed, note })),
          },
          { description, texts, times: [] },
        ).time;
      const agreementText = `${subsite.title} will agree on a time with you.`;
      // The text of the confirmation may already name the time.
      const messageHint = `See the message from ${subsite.title}. If it names no time,`;
      expect(describeTime(['First thing on Monday.'])).toContain(messageHint);
      expect(describeTime([null], 'Two visits from Monday')).toContain(
        `See the offer from ${subsite.title}. If it names no time,`,
      );
      expect(describeTime([null], 'Two visits')).toBe(agreementText);
      // While an offer is open, it may name the time that nobody has agreed on yet.
      const offer = {
        offerId: 'first',
        amount: '89',
        currency: 'USD',
        expiresAt: '2026-12-01T12:00:00Z',
        confirmOnAccept: false,
      };
      const describeOfferedTime = (note: string) =>
        visitOf(subsite, action, {
          fields: {},
          status: 'quoted',
          entries: [{ ...confirmed, status: 'quoted', note, offer }],
        }).time;
      expect(describeOfferedTime('We come Friday at 4:30 pm.')).toBe(
        `See the offer from ${subsite.title}.`,
      );
      expect(describeOfferedTime('On Friday, perhaps.')).toContain('If it names no time,');
      expect(describeOfferedTime('With a new filter.')).toBe(agreementText);
      // Any other text is about the time only if it names one.
      expect(describeTime([null], undefined, ['Thank you.'])).toBe(agreementText);
      for (const note of [
        'Is the dog inside?',
        'Is Friday at 9 fine?',
        'We will bring 4.5 lbs at 95.',
      ])
        expect(describeTime([null, note]), note).toBe(agreementText);
      // If a message names a time, there is none left to agree on.
      for (const note of [
        'Tuesday at 9 am.',
        'Tuesday at 9.',
        'We will come at 10:30',
        'Noon works',
        '3pm, then',
      ]) {
        const named = {
          fields: {},
          status: 'confirmed' as const,
          entries: [confirmed, { ...confirmed, note }],
        };
        const shown = describeVisit(visitOf(subsite, action, named)).join();
        expect(shown, note).toContain(`See the message from ${subsite.title}.`);
        expect(shown, note).not.toContain('names no time');
      }
    }
  },
);

it.each(
  listActions(site).filter(({ action }) => action.visitField === undefined && !action.effect),
)('the visit for $label leaves no doubt about the day', ({ subsite, action }) => {
  const created = { status: 'new', at: site.generatedAt, actor: 'person', note: null } as const;
  const words = (fields: Record<string, string>, message?: string) =>
    describeVisit(
      visitOf(
        subsite,
        action,
        { fields, status: 'confirmed', entries: [created] },
        message === undefined ? undefined : { description: undefined, texts: [message], times: [] },
      ),
    ).join('; ');
  const dayField = Object.keys(action.fields).find((name) => action.fields[name]!.type === 'date');
  const isBooking = action.purpose === undefined;
  expect(words({}).includes('No day was stated.')).toBe(isBooking);
  expect(words({}, 'Monday at 9.').includes('If it names no day')).toBe(isBooking);
  if (dayField !== undefined) expect(words({ [dayField]: '2030-03-16' })).not.toMatch(/no day/i);
});

it('the heading above a form uses the verb of its button', () => {
  expect(requestManagement.title.split(' ')[0]).toBe(
    requestManagement.cancel.booking.split(' ')[0],
  );
  expect(requestManagement.subscriptionTitle.split(' ')[0]).toBe(
    requestManagement.stop.split(' ')[0],
  );
});

it('erasing and withdrawing do not count against the write limit', async () => {
  const fixture = await openFixture(site);
  const kinds: string[] = [];
  const { form } = client(fixture, async (_, kind) => {
    kinds.push(kind);
    return { headers: {} };
  });
  const { lead } = await createLeadInState(fixture, 'new');
  await form(`/receipt/${lead}/withdraw`, { sure: 'yes' });
  await form(`/receipt/${lead}/erase`, { sure: 'yes' });
  await form(`/receipt/${lead}`, { text: 'x' });
  expect(kinds).toEqual(['reads', 'reads', 'writes']);
});
