import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { changeLead } from '../../src/leads/change-lead.ts';
import type { Context } from '../../src/operation/context.ts';
import { expireLeads } from '../../src/leads/expire-leads.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { listUnsentMessages } from '../../src/leads/deliveries/unsent-messages.ts';
import { listLeads } from '../../src/leads/lists/list-leads.ts';
import { composeMail } from '../../src/leads/deliveries/mail.ts';
import { readMaskedContact } from '../../src/leads/status/masked-contact.ts';
import { createPersonMailChannel } from '../../src/leads/deliveries/person/person-mail.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { deliver } from '../../src/leads/deliveries/deliver.ts';
import { notifyOperator } from '../../src/leads/deliveries/operator-alerts.ts';
import { readOutboxState } from '../../src/leads/deliveries/outbox-state.ts';
import { planDeliveries } from '../../src/leads/deliveries/plan-deliveries.ts';
import {
  redeliverLateMessages,
  redeliverLead,
  redeliverOpenLeads,
} from '../../src/leads/deliveries/redeliver-leads.ts';
import { settleDeliveries } from '../../src/leads/deliveries/settle-deliveries.ts';
import { stopMail } from '../../src/leads/deliveries/person/stop-mail.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { HONEYPOT_INPUT } from '../../src/site/forms/form-inputs.ts';
import type { ReceiptView } from '../../src/http/views.ts';
import {
  readAnswerableLead,
  readSentNotification,
} from '../../src/leads/conversation/answer-lead.ts';
import { phoneOf } from '../../src/site/phone.ts';
import { providerOf } from '../../src/site/service-of-request.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { receiptOf } from '../conversation/receipt-view.ts';
import { formatRequestNoun } from '../../src/site/words/record-words.ts';
import { formatReference, formatShortDays } from '../../src/site/words/words.ts';
import { listPossiblePrices } from '../../src/site/words/record-words.ts';
import { itemFieldOf } from '../../src/site/registry.ts';
import { exampleValuesOf, isNeverPersonal } from '../../src/fields/fields.ts';
import { labelOf } from '../../src/site/words/field-words.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import {
  type MailReceiver,
  DEFERRED_NAME,
  SERVER_FAULTS,
  REJECTED_NAME,
  startMailReceiver,
} from '../deliveries/setup/receivers.ts';
import { drain } from '../deliveries/setup/drain.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { client, inputsOf } from '../transports/setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const PERSON_EMAIL = 'dana@example.com';
const hostileName = 'Typed by whoever calls: https://evil.example';

/** An action without an effect that has a date and a text field. */
const { subsite, action } = listActions(site).find(({ action: { effect, fields } }) => {
  const types = Object.values(fields).map(({ type }) => type);
  return !effect && types.includes('date') && types.includes('string');
})!;
const providerTitle = RegExp.escape(subsite.title);
const findFieldName = (kind: string) =>
  Object.entries(action.fields).find(([, { type }]) => type === kind)![0];

type Mail = MailReceiver['mails'][number];
const findHeader = (mail: Mail, name: string) =>
  mail.headers.find(({ key }) => key === name)?.value;

/** A fixture that sends email to customers, with functions that fill and deliver its outbox. */
async function openMailFixture() {
  const fixture = await openFixture(site);
  const receiver = await startMailReceiver();
  const channel = createPersonMailChannel({
    url: receiver.url,
    from: 'Network <leads@network.example>',
    site,
  });
  const requests = client(fixture);
  const body = (more: object = {}) => ({
    subsite: subsite.name,
    action: action.verb,
    fields: { ...exampleValuesOf(action.fields), [findFieldName('string')]: hostileName },
    contact: { name: hostileName, email: PERSON_EMAIL },
    source: 'typed-by-whoever',
    ...more,
  });
  const submitLead = async (more?: object) => {
    const response = await requests.json('/api/lead/action', body(more));
    expect(response.status).toBe(200);
    return ((await response.json()) as { receiptToken: string }).receiptToken;
  };
  const provider = (lead: string, action: ProviderAction, content: object = {}) => {
    // Event IDs are in order only if the events are at least a second apart.
    fixture.advanceHours(0.001);
    return sendAsProvider(
      { receiptToken: lead, action, actor: 'provider' },
      content,
      fixture.context,
    );
  };
  const send = async () => {
    await drain([channel], fixture.context);
    return receiver.mails.length;
  };
  return { fixture, receiver, channel, requests, body, submitLead, provider, send };
}

type MailFixture = Awaited<ReturnType<typeof openMailFixture>>;

/** The reasons that the operator sees for unsent email to the customer about a lead. */
const explainUnmailed = async (lead: string, context: Context): Promise<string[]> =>
  (await listUnsentMessages(await readLead(lead, 'all', context), context))
    .filter(({ channel }) => channel === 'person')
    .map(({ reason }) => reason);

const offer = { amount: '129', currency: 'USD', description: 'Parts', expires: '48h' };

describe('a customer with an email address', () => {
  it('gets the receipt, questions, offers, and the outcome in one thread, and can stop the email with one click', async () => {
    const { fixture, receiver, submitLead, provider, send } = await openMailFixture();
    const lead = await submitLead();
    const receipt = `${site.base}/receipt/${lead}`;
    expect(await send()).toBe(1);
    await provider(lead, 'acknowledge');
    expect(await send()).toBe(1);
    await provider(lead, 'ask', { text: 'Which floor?\nThis wasn’t me:' });
    expect(await send()).toBe(2);
    await sendMessage.handle(
      sendMessage.parse({ receipt: lead, text: 'The second.' }, fixture.context),
      { channel: 'json' },
      fixture.context,
    );
    expect(await send()).toBe(2);
    await provider(lead, 'offer', offer);
    expect(await send()).toBe(3);
    const { offerId } = (await fixture.rows('offers')).map(({ id }) => ({
      offerId: String(id),
    }))[0]!;
    await sendMessage.handle(
      sendMessage.parse({ receipt: lead, accept: offerId }, fixture.context),
      { channel: 'json' },
      fixture.context,
    );
    expect(await send()).toBe(4);
    await provider(lead, 'confirm', { text: 'Tuesday at 9 AM.' });
    expect(await send()).toBe(5);
    await provider(lead, 'decline', { text: 'The van broke down.' });
    expect(await send()).toBe(6);

    const [first, questionMail, offered, accepted, confirmed, declined] = receiver.mails as [
      Mail,
      Mail,
      Mail,
      Mail,
      Mail,
      Mail,
    ];
    const [{ id: reference }] = (await fixture.rows('outbox')) as [{ id: string }];
    const date = String(exampleValuesOf(action.fields)[findFieldName('date')]);
    const requestedDay = formatShortDays({ from: date, to: date });
    for (const mail of receiver.mails) {
      expect(mail.envelopeTo).toEqual([PERSON_EMAIL]);
      expect(findHeader(mail, 'auto-submitted')).toBe('auto-generated');
      expect(findHeader(mail, 'list-unsubscribe')).toBe(`<${receipt}/not-me>`);
      expect(findHeader(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
      expect(mail.replyTo).toBeUndefined();
      expect(mail.text).toContain(`\n${receipt}\n`);
      expect(mail.text).toContain(`\n${receipt}/not-me\n`);
      expect(mail.text).toContain(formatRequestNoun(action, action.verb));
      expect(mail.text).toContain(`Reference: ${formatReference(reference)}`);
      expect(mail.text).not.toContain('evil.example');
      expect(JSON.stringify(mail.headers)).not.toContain('evil.example');
      expect(
        mail.subject!.startsWith(`Your request to ${subsite.title} for ${requestedDay}: `),
      ).toBe(true);
      expect(mail.subject!.endsWith(` (${formatReference(reference)})`)).toBe(true);
      if (mail === first) continue;
      expect(findHeader(mail, 'references')).toBe(first.messageId);
    }
    expect(new Set(receiver.mails.map(({ messageId }) => messageId)).size).toBe(6);
    expect(receiver.mails.map(({ subject }) => /: (.*) \(/.exec(subject!)?.[1])).toEqual([
      'we have received it',
      'they have a question',
      'they made you an offer',
      'you accepted their offer',
      'it is confirmed',
      'they canceled it',
    ]);
    expect(first.text).toContain(site.registry.network.leadNotice);
    expect(first.text).toMatch(/: \w+, \w+ \d/);
    expect(questionMail.text).toContain('| Which floor?\n| This wasn’t me:\n');
    expect(offered.text).toMatch(
      /\nPrice: you pay \$129 plus \$9\.03 sales tax = \$138\.03 a month\nIncludes:\n\| Parts\nOpen until: /,
    );
    expect(accepted.text).toMatch(
      /^You accepted the offer from .* still has to confirm it\.\n\nIncludes:\n\| Parts\n[^]*\nPrice: you pay \$129 plus \$9\.03 sales tax = \$138\.03 a month\n[^]*\nAnswer promised by: \w+, /,
    );
    expect(accepted.text).not.toContain('Offer:');
    expect(confirmed.text).toMatch(
      /^Your .*request.* is confirmed\.[^]*\| Tuesday[^]*Price: you pay \$129 plus \$9\.03 sales tax = \$138\.03 a month/,
    );
    expect(confirmed.text).not.toContain('not a confirmed');
    expect(declined.text).toContain('| The van broke down.');
    expect(declined.text).toContain(
      `\nCall ${providerOf(subsite)} at ${phoneOf(subsite, site.registry)} to ask what else you can do.`,
    );
  });

  it('gets one receipt email, however often it is planned, and even if the provider is notified again', async () => {
    const { fixture, receiver, channel, submitLead, send } = await openMailFixture();
    receiver.faults.push('busy', 'drop');
    const lead = await submitLead();
    await Promise.all([drain([channel], fixture.context), drain([channel], fixture.context)]);
    expect(await send()).toBe(1);
    await redeliverLead(lead, fixture.context);
    expect(await send()).toBe(1);
    const [{ id }] = (await fixture.rows('outbox')) as [{ id: string }];
    expect(receiver.mails[0]!.messageId).toBe(`<${id}.person@network.example>`);
  });

  it('learns that nobody answered in time, and what to do instead', async () => {
    const { fixture, receiver, submitLead, send } = await openMailFixture();
    await submitLead();
    expect(await send()).toBe(1);
    fixture.advanceHours(24 * 7);
    expect(await expireLeads(fixture.context)).toBe(1);
    expect(await send()).toBe(2);
    const { subject, text } = receiver.mails.at(-1)!;
    expect(subject).toContain('nobody answered in time');
    expect(text).toMatch(
      new RegExp(`^${providerTitle} did not answer your .*request.* in time, so it has ended\\.`),
    );
    expect(text).toContain('Send a new request: ');
    expect(text).toContain('Nothing is booked.');
    // People in imported leads did not write to this service.
    await submitLead();
    await fixture.database.writer.run(sql`update leads set channel = 'import'`);
    fixture.advanceHours(24 * 7);
    expect(await expireLeads(fixture.context)).toBe(1);
    expect(await send()).toBe(2);
  });

  it('learns the price and end of a hold, whom to call, and the effect of accepting', async () => {
    const { receiver, submitLead, provider, send } = await openMailFixture();
    const [{ subsite: owner, action: hold }] = listActions(site).filter(
      ({ action: { effect } }) => effect?.kind === 'hold',
    ) as [ReturnType<typeof listActions>[number]];
    const fields = exampleValuesOf(hold.fields);
    const lead = await submitLead({ subsite: owner.name, action: hold.verb, fields });
    expect(await send()).toBe(1);
    await provider(lead, 'offer', { ...offer, confirmOnAccept: true });
    expect(await send()).toBe(2);
    const [first, offered] = receiver.mails as [Mail, Mail];
    expect(first.subject).toMatch(/^Your \w/);
    for (const line of [
      /^Item: \S/m,
      /^Price: .* = \$\d/m,
      /^Deposit: \$\d+, refundable$/m,
      new RegExp(
        `^Held for you until: \\w+, .*\\. If ${RegExp.escape(owner.title)} has not confirmed by then, the hold ends and nothing is booked\\.$`,
        'm',
      ),
      /^What you need:\n- \S/m,
      /^To call .*: .*\d{4}$/m,
      /^Where \(once confirmed\): \d+ \S.* \d{5}$/m,
      /^Hours: \S.*\d [ap]m/m,
    ])
      expect(first.text).toMatch(line);
    expect(offered.text).toContain('your request is confirmed at once');
    expect(offered.text).toContain('Accepting it confirms the request;');
    expect(offered.text).not.toContain('the provider confirms separately');
  });

  it.each(
    listActions(site).filter(
      ({ subsite, action }) =>
        action.effect === undefined &&
        itemFieldOf(action) === undefined &&
        listPossiblePrices(subsite, action, exampleValuesOf(action.fields)).length > 0,
    ),
  )('learns the published prices of a service without a total: $label', async (verb) => {
    const { receiver, submitLead, send } = await openMailFixture();
    const { subsite, action } = verb;
    const fields = exampleValuesOf(action.fields);
    await submitLead({ subsite: subsite.name, action: action.verb, fields });
    expect(await send()).toBe(1);
    const text = receiver.mails[0]!.text!;
    const prices = listPossiblePrices(subsite, action, fields);
    if (prices.length > 1) expect(text).toContain('\nPrice list:\n- ');
    for (const { price } of prices)
      expect(text).toContain(`${prices.length > 1 ? '-' : 'Price:'} ${price}.`);
    // The email only names the fields that the person filled in, so that strangers cannot use it to
    // send text.
    for (const [name, field] of Object.entries(action.fields))
      if (fields[name] !== undefined && !isNeverPersonal(field, fields[name])) {
        expect(text).toContain(`“${labelOf(name, field)}”`);
        expect(text).not.toContain(`: ${fields[name]}`);
      }
    // Prices without the commission would mislead.
    if (subsite.commission) expect(text).toContain(`${subsite.commission.percent}%`);
  });

  it('gets every message from the provider, and no email about an answer without text', async () => {
    const { receiver, submitLead, provider, send } = await openMailFixture();
    const lead = await submitLead();
    await provider(lead, 'acknowledge', { text: 'We will look at it tonight.' });
    await provider(lead, 'reply', { text: 'The part is here.' });
    expect(await send()).toBe(3);
    for (const [index, note] of ['We will look at it tonight.', 'The part is here.'].entries())
      expect(receiver.mails[index + 1]!.text).toMatch(
        new RegExp(`^${providerTitle} wrote to you about your .*request.*\\.\n\n\\| ${note}\n`),
      );
    const otherLead = await submitLead();
    await provider(otherLead, 'acknowledge');
    expect(await send()).toBe(4);
  });

  it('learns that the operator canceled a request on their behalf, and who wrote the text, if there is one', async () => {
    const { fixture, receiver, submitLead, provider, send } = await openMailFixture();
    const { organization } = site.registry.network;
    for (const [state, note] of [
      ['new', 'You called us today.'],
      ['accepted', undefined],
      ['confirmed', 'You called us today.'],
    ] as const) {
      const lead = await submitLead();
      const reply = (text: object) =>
        sendMessage.handle(
          sendMessage.parse({ receipt: lead, ...text }, fixture.context),
          { channel: 'json' },
          fixture.context,
        );
      if (state === 'accepted') {
        await provider(lead, 'offer', offer);
        await reply({ accept: (await fixture.rows('offers')).at(-1)!['id'] });
      } else if (state === 'confirmed') await provider(lead, 'confirm');
      const count = await send();
      fixture.advanceHours(0.001);
      await changeLead(
        { receiptToken: lead, to: 'withdrawn', actor: 'operator', note },
        fixture.context,
      );
      const context = { ...fixture.context, isCustomerEmailEnabled: true };
      const { reference } = await readLead(lead, 'all', context);
      expect(await readSentNotification(reference, await readLog(lead, context), context)).toEqual({
        text: 'The customer gets this by email and sees it on their page.',
        isEmailMissing: false,
      });
      expect(await send(), state).toBe(count + 1);
      const { subject, text } = receiver.mails.at(-1)!;
      expect(subject).toContain(': it is canceled (');
      expect(text).toMatch(/^Your .*request.* is canceled\./);
      expect(text!.includes(`\n${organization.name} wrote:\n\n| ${note}\n`)).toBe(
        note !== undefined,
      );
      expect(text).not.toMatch(/ wrote to you|answer here/);
    }
  });

  it('learns of a request that the operator canceled, however many requests were sent', async () => {
    const { fixture, submitLead, send } = await openMailFixture();
    const leads = [];
    for (let count = 0; count < 11; count++) leads.push(await submitLead());
    expect(await send()).toBe(10);
    await changeLead(
      { receiptToken: leads[0]!, to: 'withdrawn', actor: 'operator' },
      fixture.context,
    );
    expect(await send()).toBe(11);
  });

  it('gets at most 5 messages per request, with one reserved for the decision, 5 more for changes, and one more if the provider cancels', async () => {
    const { fixture, receiver, submitLead, provider, send } = await openMailFixture();
    const context = { ...fixture.context, isCustomerEmailEnabled: true };
    const readMailLimit = async () => ((await receiptOf(fixture, lead)) as ReceiptView).mailLimit;
    /** What the provider sees on the page that the newest answer link opens. */
    const readPredictedText = async (action: ProviderAction) => {
      const newestEventId = String((await fixture.rows('outbox')).at(-1)!['id']);
      const { links } = (await readLeadEvent(newestEventId, context))!;
      const token = new URL(links[action]!).pathname.split('/').at(-1)!;
      return (await readAnswerableLead(token, context)).notification.text;
    };
    const emailNotice = 'The customer gets this by email and sees it on their page.';
    const lead = await submitLead();
    for (let count = 0; count < 6; count++) {
      const isLast = count === 2;
      await provider(lead, 'reply', { text: `Message ${count}` });
      await send();
      expect(await readMailLimit()).toBe(count < 2 ? undefined : 'open');
      if (count < 3)
        expect(
          receiver.mails
            .at(-1)!
            .text?.includes('We will email you again only about an offer or the decision.'),
        ).toBe(isLast);
      expect(await readPredictedText('confirm')).toBe(
        count < 2
          ? emailNotice
          : `${emailNotice} After this, we email only time changes and a cancellation.`,
      );
      expect(await readPredictedText('offer')).toContain(emailNotice);
      if (count < 2)
        expect(await readPredictedText('acknowledge')).toContain('only if you write a note here');
      expect(await readPredictedText('ask')).toMatch(
        [
          /^The customer gets this by email and sees it on their page\.$/,
          / After this, we email only offers and your decision\.$/,
        ][count] ??
          /^The customer sees this only .* the maximum number of emails about this request\./,
      );
    }
    expect(await send()).toBe(4);
    const { reference } = await readLead(lead, 'all', context);
    expect(
      await readSentNotification(reference, await readLog(lead, context), context),
    ).toMatchObject({ isEmailMissing: true });
    await provider(lead, 'confirm');
    expect(await send()).toBe(5);
    expect(receiver.mails.at(-1)!.text).toContain('the last email, unless the time changes or');
    expect(await readMailLimit()).toBe('confirmed');
    await provider(lead, 'reply', { text: 'See you soon.' });
    expect(await send()).toBe(5);
    for (let count = 1; count <= 6; count++) {
      expect(await readPredictedText('confirm')).toMatch(
        count < 5
          ? / we email only time changes and a cancellation\.$/
          : count === 5
            ? / After this, we email only a cancellation\.$/
            : /^The customer sees this only .* the maximum number of emails about this request\./,
      );
      await provider(lead, 'confirm', { text: `We will come at ${count} PM.` });
      expect(await send()).toBe(Math.min(5 + count, 10));
    }
    expect(receiver.mails.at(-1)!.text).toContain('the last email, unless the request is canceled');
    expect(receiver.mails.at(-1)!.subject).toContain('the time or other details changed');
    expect(await readMailLimit()).toBe('changed');
    expect(await readPredictedText('decline')).toBe(emailNotice);
    // The limit per address does not apply either.
    const anotherLead = await submitLead();
    await send();
    await provider(anotherLead, 'ask', { text: 'Which floor?' });
    expect(await send()).toBe(12);
    await provider(lead, 'decline', { text: 'The van broke down.' });
    expect(await send()).toBe(13);
    expect(receiver.mails.at(-1)!.text).toMatch(
      new RegExp(`^${providerTitle} canceled your confirmed [^]*\\| The van broke down\\.`),
    );
    expect(receiver.mails.at(-1)!.text).not.toContain('This is the last email');
    expect(await readMailLimit()).toBeUndefined();
  });

  it('gets every offer up to 9 emails, and then the decision', async () => {
    const { receiver, submitLead, provider, send } = await openMailFixture();
    const lead = await submitLead();
    for (let count = 0; count < 5; count++) {
      await provider(lead, 'reply', { text: `Message ${count}` });
      await send();
    }
    expect(await send()).toBe(4);
    for (let count = 0; count < 6; count++) {
      await provider(lead, 'offer', { ...offer, description: `Parts ${count}` });
      await send();
    }
    expect(await send()).toBe(9);
    expect(receiver.mails.at(-1)!.text).toContain('Parts 4');
    expect(receiver.mails.at(-1)!.text).toContain('Later messages and offers appear only on');
    await provider(lead, 'confirm', { text: 'Tuesday.' });
    expect(await send()).toBe(10);
    expect(receiver.mails.at(-1)!.subject).toContain('it is confirmed');
  });

  it('gets 4 messages in addition to the decision, even after an early decision', async () => {
    const { receiver, submitLead, provider, send } = await openMailFixture();
    const lead = await submitLead();
    await provider(lead, 'confirm');
    for (let count = 0; count < 4; count++) {
      await provider(lead, 'reply', { text: `Message ${count}` });
      await send();
    }
    expect(await send()).toBe(5);
    expect(receiver.mails.map(({ text }) => text?.includes('This is the last email'))).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('gets at most 10 receipts in 24 hours, which do not count against email about answers', async () => {
    const { fixture, submitLead, provider, send } = await openMailFixture();
    const strangers = [];
    for (let count = 0; count < 12; count++) strangers.push(await submitLead());
    await submitLead({ contact: { email: 'other@example.com' } });
    expect(await send()).toBe(11);
    fixture.advanceHours(0.001);
    for (const stranger of strangers)
      await sendMessage.handle(
        sendMessage.parse({ receipt: stranger, withdraw: true }, fixture.context),
        { channel: 'json' },
        fixture.context,
      );
    expect(await send()).toBe(11);
    const lead = await submitLead();
    expect(await send()).toBe(11);
    await provider(lead, 'ask', { text: 'Which floor?' });
    expect(await send()).toBe(12);
    await provider(lead, 'acknowledge');
    await provider(lead, 'offer', offer);
    expect(await send()).toBe(13);
    await provider(lead, 'confirm', { text: 'We will come at 1 PM.' });
    expect(await send()).toBe(14);
    fixture.advanceHours(25);
    await submitLead();
    expect(await send()).toBe(15);
  });

  it('gets at most 10 answers in 24 hours, whatever they are about, but always an email about a changed time', async () => {
    const { fixture, submitLead, provider, send } = await openMailFixture();
    const lead = await submitLead();
    const others = [];
    for (let count = 0; count < 9; count++) others.push(await submitLead());
    expect(await send()).toBe(10);
    for (const other of others) await provider(other, 'decline', { text: 'We are booked.' });
    expect(await send()).toBe(19);
    await provider(lead, 'confirm', { text: 'We will come at 1 PM.' });
    expect(await send()).toBe(20);
    const anotherLead = await submitLead();
    await provider(anotherLead, 'confirm', { text: 'We will come at 1 PM.' });
    expect(await send()).toBe(20);
    await provider(lead, 'confirm', { text: 'We will come at 2 PM.' });
    expect(await send()).toBe(21);
    fixture.advanceHours(25);
    await submitLead();
    expect(await send()).toBe(22);
  });

  it('is told about the daily maximum per address, and so are the provider and the operator', async () => {
    const { fixture, receiver, submitLead, provider, send } = await openMailFixture();
    const context = { ...fixture.context, isCustomerEmailEnabled: true };
    const readNotices = async (lead: string) => {
      const newestEventId = String((await fixture.rows('outbox')).at(-1)!['id']);
      const event = (await readLeadEvent(newestEventId, context))!;
      const readNotification = async (link: string) =>
        (await readAnswerableLead(new URL(link).pathname.split('/').at(-1)!, context)).notification
          .text;
      return {
        receipt: (await readMaskedContact(lead, context)).mail,
        predicted: await readNotification(event.links.confirm!),
        mailed: (await composeMail(event, context)).text,
      };
    };
    const dailyReason = 'The address has reached its daily email limit.';
    const dailyLimit = 'their address has reached its daily email limit.';
    const others = [];
    for (let count = 0; count < 9; count++) others.push(await submitLead());
    const lead = await submitLead();
    expect(await send()).toBe(10);
    for (const other of others) await provider(other, 'decline');
    await provider(lead, 'acknowledge');
    expect(await send()).toBe(19);
    expect(await readNotices(lead)).toMatchObject({
      receipt: 'mailed',
      predicted: expect.stringContaining('gets this by email'),
    });
    await provider(lead, 'reply', { text: 'The tenth.' });
    // The tenth email is not planned yet, but there is no longer room for the next answer.
    expect((await readNotices(lead)).predicted).toContain(dailyLimit);
    expect(await send()).toBe(20);
    expect(await readNotices(lead)).toMatchObject({
      receipt: 'dailyLimit',
      predicted: expect.stringContaining(dailyLimit),
      mailed: expect.stringContaining('The customer got this by email'),
    });
    await provider(lead, 'reply', { text: 'The eleventh.' });
    expect(await send()).toBe(20);
    expect((await readNotices(lead)).mailed).toContain(dailyLimit);
    fixture.advanceHours(25);
    expect((await readNotices(lead)).mailed).toContain(dailyLimit);
    fixture.advanceHours(-25);
    const unmailedLead = await submitLead();
    // Before and after it is planned, and when the limit no longer applies.
    expect(await explainUnmailed(unmailedLead, context)).toEqual([dailyReason]);
    expect(await send()).toBe(20);
    expect(await explainUnmailed(unmailedLead, context)).toEqual([dailyReason]);
    fixture.advanceHours(25);
    expect(await explainUnmailed(unmailedLead, context)).toEqual([dailyReason]);
    expect(await explainUnmailed(lead, context)).toEqual([dailyReason]);
    expect((await readMaskedContact(unmailedLead, context)).mail).toBe('mailed');
    await provider(lead, 'confirm');
    expect(await send()).toBe(21);
    expect(receiver.mails.length).toBe(21);
  });

  it.each<[string, string, (fixture: MailFixture, lead: string) => Promise<unknown> | void]>([
    ['pending', 'gets this by email', () => undefined],
    [
      'sent, although the customer unsubscribed later',
      'got this by email',
      async ({ fixture, send }, lead) => (await send(), await stopMail(lead, fixture.context)),
    ],
    [
      'too old',
      'sees this only on their page: it was too late to email it',
      ({ fixture }) => fixture.advanceHours(24 * 5),
    ],
    [
      'stopped',
      'sees this only on their page: they get no automatic email',
      async ({ fixture, channel }, lead) => (
        await planDeliveries([channel], fixture.context),
        await stopMail(lead, fixture.context)
      ),
    ],
    [
      'canceled',
      'sees this only on their page: the email about it was not sent',
      async ({ fixture, channel }, lead) => (
        await planDeliveries([channel], fixture.context),
        await settleDeliveries({ leads: [lead] }, fixture.context)
      ),
    ],
    [
      'never planned, because there was no mail server',
      'sees this only on their page: the email about it was not sent',
      ({ fixture }) => planDeliveries([], fixture.context),
    ],
  ])(
    'is said to get the provider’s answer only if its email is pending or was sent: %s',
    async (_state, notice, act) => {
      const mailFixture = await openMailFixture();
      const { fixture, channel, submitLead, provider, send } = mailFixture;
      const lead = await submitLead();
      await send();
      await provider(lead, 'reply', { text: 'We will come on Tuesday.' });
      await act(mailFixture, lead);
      await planDeliveries([channel], fixture.context);
      const context = { ...fixture.context, isCustomerEmailEnabled: true };
      const event = await readLeadEvent(
        String((await fixture.rows('outbox')).at(-1)!['id']),
        context,
      );
      expect((await composeMail(event!, context)).text).toContain(`The customer ${notice}`);
      const { reference } = await readLead(lead, 'all', context);
      expect(
        (await readSentNotification(reference, await readLog(lead, context), context)).text,
      ).toContain(notice);
    },
  );

  it('is reported and retried like a message to the provider until it is delivered or settled', async () => {
    const { fixture, receiver, channel, submitLead } = await openMailFixture();
    const { context } = fixture;
    const readState = async () => ({
      ...(await readOutboxState({ ...context, channels: ['webhook'] })).personMail,
      listed: (await listLeads({ undelivered: true }, { limit: 10 }, context)).map(
        ({ undelivered, undeliveredToPerson }) => ({ undelivered, undeliveredToPerson }),
      ),
    });
    const deliveredState = { undelivered: 0, oldestSeconds: 0, listed: [] };
    const lateState = {
      undelivered: 1,
      oldestSeconds: expect.any(Number),
      listed: [{ undelivered: false, undeliveredToPerson: true }],
    };
    for (const retry of [
      async () => expect(await redeliverLateMessages(context)).toBe(1),
      (lead: string) => redeliverLead(lead, context),
    ]) {
      receiver.faults.push('busy');
      const lead = await submitLead();
      await planDeliveries([channel], context);
      await deliver('test', [channel], context);
      await deliver('test', [channel], context);
      expect(await readState()).toEqual(lateState);
      const sentCount = receiver.mails.length;
      await retry(lead);
      await drain([channel], context);
      expect(receiver.mails.length).toBe(sentCount + 1);
      expect(await readState()).toEqual(deliveredState);
      await redeliverLateMessages(context);
      await drain([channel], context);
      expect(receiver.mails.length).toBe(sentCount + 1);
    }
    receiver.faults.push('busy');
    const lead = await submitLead();
    await planDeliveries([channel], context);
    await deliver('test', [channel], context);
    expect(await settleDeliveries({ leads: [lead] }, context)).toHaveLength(1);
    expect(await readState()).toEqual(deliveredState);
    expect(await redeliverLateMessages(context)).toBe(0);
    const sentCount = receiver.mails.length;
    await redeliverOpenLeads(context);
    await drain([channel], context);
    expect(receiver.mails.length).toBe(sentCount);
    await redeliverLead(lead, context);
    await drain([channel], context);
    expect(receiver.mails.length).toBe(sentCount + 1);
  });

  it('is not late once the person has stopped it', async () => {
    const { fixture, receiver, channel, submitLead } = await openMailFixture();
    receiver.faults.push('busy');
    const lead = await submitLead();
    await planDeliveries([channel], fixture.context);
    await deliver('test', [channel], fixture.context);
    await stopMail(lead, fixture.context);
    expect(await listLeads({ undelivered: true }, { limit: 10 }, fixture.context)).toEqual([]);
    expect(await redeliverLateMessages(fixture.context)).toBe(0);
  });

  it.each([
    ['rejects', REJECTED_NAME, false],
    ['temporarily rejects', DEFERRED_NAME, true],
  ])(
    'triggers an alert while the mail server is down, but not if the server %s the customer’s address',
    async (_, name, isRetried) => {
      const { fixture, receiver, channel, submitLead } = await openMailFixture();
      const { context } = fixture;
      const alerts: Mail[] = [];
      const check = () =>
        notifyOperator(
          {
            send: async (mail) => (alerts.push(mail as unknown as Mail), { outcome: 'sent' }),
            from: 'leads@network.example',
            to: 'operator@network.example',
          },
          context,
        );
      await submitLead({ contact: { email: `${name}example.com` } });
      await planDeliveries([channel], context);
      await deliver('test', [channel], context);
      fixture.advanceHours(0.3);
      await check();
      expect(alerts).toEqual([]);
      expect(await deliver('test', [channel], context)).toBe(isRetried ? 1 : 0);
      expect(await listLeads({ undelivered: true }, { limit: 10 }, context)).toHaveLength(1);
      expect(await readOutboxState(context)).toMatchObject({
        personMail: { undelivered: 1, oldestSeconds: 0 },
        givenUp: 0,
      });
      receiver.faults.push('busy');
      await submitLead();
      await planDeliveries([channel], context);
      await deliver('test', [channel], context);
      fixture.advanceHours(0.3);
      await check();
      expect(alerts.map(({ text }) => text)).toEqual([
        expect.stringMatching(
          /^Messages about 1 lead have been undelivered[^]*\nemail to the customer, 1 \w+: /,
        ),
      ]);
      expect(alerts[0]!.text).not.toContain('rejected the address');
      expect((await readOutboxState(context)).personMail).toEqual({
        undelivered: 2,
        oldestSeconds: expect.closeTo(1080, -2),
      });
    },
  );

  it.each(Object.keys(SERVER_FAULTS))(
    'is reported to the operator if the mail server’s fault is not caused by the address: %s',
    async (name) => {
      const { fixture, channel, submitLead } = await openMailFixture();
      const { context } = fixture;
      await submitLead({ contact: { email: `${name}example.com` } });
      await planDeliveries([channel], context);
      await deliver('test', [channel], context);
      fixture.advanceHours(0.3);
      expect(await deliver('test', [channel], context)).toBe(1);
      expect((await readOutboxState(context)).personMail).toMatchObject({
        undelivered: 1,
        oldestSeconds: expect.closeTo(1080, -2),
      });
      const alerts: object[] = [];
      await notifyOperator(
        {
          send: async (mail) => (alerts.push(mail), { outcome: 'sent' }),
          from: 'leads@network.example',
          to: 'operator@network.example',
        },
        context,
      );
      expect(alerts).toHaveLength(1);
      const [lead] = await fixture.rows('leads');
      const { deliveries } = await readLead(String(lead!['token']), 'all', context);
      expect(deliveries.map(({ lastOutcome }) => lastOutcome)).toEqual([
        expect.stringMatching(/^(?:failed|refused)$/),
      ]);
    },
  );
});

describe('email to a customer', () => {
  const cases: [
    string,
    (mailFixture: Awaited<ReturnType<typeof openMailFixture>>) => Promise<unknown>,
    explanation?: RegExp,
  ][] = [
    [
      'with notify: false',
      ({ submitLead }) => submitLead({ notify: false }),
      /does not want email/,
    ],
    [
      'with notify: false to email capture',
      async ({ requests }) => {
        const sent = { email: PERSON_EMAIL, source: site.registry.subsites[0]!.leadSource };
        const response = await requests.json('/api/email-capture', { ...sent, notify: false });
        expect(response.status).toBe(200);
      },
      /does not want email/,
    ],
    [
      'with notify: false over MCP',
      async ({ fixture, body }) => {
        const channels = await openMcpEndpoints(fixture.context);
        const toolResult = await channels.call(
          '/api/mcp',
          'submit_action',
          body({ notify: false }),
        );
        expect(toolResult.isError).toBeUndefined();
      },
      /does not want email/,
    ],
    [
      'without an address',
      ({ submitLead }) => submitLead({ contact: { phone: '(727) 555-0142' } }),
      /left no email address/,
    ],
    ['in the sandbox', ({ submitLead }) => submitLead({ sandbox: true })],
    [
      'to a throwaway address',
      ({ submitLead }) => submitLead({ contact: { email: 'x@mailinator.com' } }),
      /looks like spam/,
    ],
    [
      'after a form with a filled honeypot',
      async ({ fixture, requests, body }) => {
        const inputs = { ...inputsOf(body()), [HONEYPOT_INPUT]: 'https://evil.example' };
        expect((await requests.form('/api/lead/action', inputs)).status).toBe(303);
        expect((await fixture.rows('leads'))[0]!['suspicions']).toContain('honeypot');
      },
      /looks like spam/,
    ],
  ];

  it.each(cases)('is not sent %s, and the operator learns why', async (_, ask, explanation) => {
    const mailFixture = await openMailFixture();
    const context = { ...mailFixture.fixture.context, isCustomerEmailEnabled: true };
    await ask(mailFixture);
    expect(await mailFixture.send()).toBe(0);
    const leads = await listLeads({}, { limit: 10 }, context);
    const reasons = leads.map(({ reference }) => explainUnmailed(reference, context));
    expect((await Promise.all(reasons)).flat()).toEqual(
      explanation ? [expect.stringMatching(explanation)] : [],
    );
  });

  it('shows the operator a reason while it is not planned', async () => {
    const { fixture, submitLead, send } = await openMailFixture();
    const lead = await submitLead();
    const explain = (isCustomerEmailEnabled: boolean) =>
      explainUnmailed(lead, { ...fixture.context, isCustomerEmailEnabled });
    expect(await explain(false)).toEqual(['Email is not set up.']);
    expect(await explain(true)).toEqual(['The message is being sent.']);
    fixture.advanceHours(0.1);
    expect(await explain(true)).toEqual([expect.stringMatching(/not planned the message yet/)]);
    expect(await send()).toBe(1);
    expect(await explain(true)).toEqual([]);
  });

  it('shows the operator that a receipt was too old when it was planned', async () => {
    const { fixture, submitLead, provider, send } = await openMailFixture();
    const context = { ...fixture.context, isCustomerEmailEnabled: true };
    const lead = await submitLead();
    fixture.advanceHours(25);
    expect(await send()).toBe(0);
    expect(await explainUnmailed(lead, context)).toEqual([expect.stringMatching(/too old/)]);
    await provider(lead, 'ask', { text: 'Which floor?' });
    expect(await send()).toBe(1);
    expect(await explainUnmailed(lead, context)).toEqual([expect.stringMatching(/too old/)]);
  });

  it('shows the operator a reason for each message that was not emailed', async () => {
    const { fixture, submitLead, provider, send } = await openMailFixture();
    const context = { ...fixture.context, isCustomerEmailEnabled: true };
    const lead = await submitLead();
    // An acknowledgment without a message needs no email.
    await provider(lead, 'acknowledge');
    for (const text of ['One.', 'Two.', 'Three.']) await provider(lead, 'reply', { text });
    expect(await send()).toBe(4);
    expect(await explainUnmailed(lead, context)).toEqual([]);
    for (const text of ['Four.', 'Five.']) await provider(lead, 'reply', { text });
    expect(await send()).toBe(4);
    const limitReason = expect.stringMatching(/limit of emails about this lead/);
    expect(await explainUnmailed(lead, context)).toEqual([limitReason, limitReason]);
    await provider(lead, 'confirm');
    expect(await send()).toBe(5);
    expect(await explainUnmailed(lead, context)).toEqual([limitReason, limitReason]);
  });

  it('shows the operator whether pending email was outdated or stopped', async () => {
    const { fixture, channel, submitLead, provider } = await openMailFixture();
    const context = { ...fixture.context, isCustomerEmailEnabled: true };
    const lead = await submitLead();
    await provider(lead, 'reply', { text: 'The van is red.' });
    await provider(lead, 'ask', { text: 'Which floor?' });
    await planDeliveries([channel], context);
    expect(await explainUnmailed(lead, context)).toEqual([]);
    expect(await explainUnmailed(lead, { ...context, isCustomerEmailEnabled: false })).toEqual(
      Array(3).fill('Email is not set up.'),
    );
    await provider(lead, 'decline');
    await stopMail(lead, context);
    await planDeliveries([channel], context);
    expect(await explainUnmailed(lead, context)).toEqual([
      expect.stringMatching(/later message or change/),
      expect.stringMatching(/unsubscribed/),
      expect.stringMatching(/later message or change/),
      expect.stringMatching(/does not want email/),
    ]);
  });

  it('arrives in the order of the events after an outage, without what the end made unnecessary', async () => {
    const { fixture, receiver, channel, submitLead, provider, send } = await openMailFixture();
    const { context } = fixture;
    const lead = await submitLead();
    for (const text of ['First.', 'Second.', 'Third.']) await provider(lead, 'reply', { text });
    const endedLead = await submitLead({ contact: { email: 'tom@example.com' } });
    await provider(endedLead, 'offer', offer);
    const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === endedLead);
    await planDeliveries([channel], context);
    await provider(endedLead, 'decline', { text: 'We are full.' });
    await planDeliveries([channel], context);
    await redeliverLateMessages(context);
    // One email about each request at a time, so that none overtakes another.
    expect(await deliver('test', [channel], context)).toBe(2);
    await send();
    const listNews = (email: string) =>
      receiver.mails
        .filter(({ envelopeTo }) => envelopeTo[0] === email)
        .map(
          ({ subject, text }) =>
            /^\| (\S+\.)$/m.exec(text ?? '')?.[1] ?? /: (.*) \(/.exec(subject!)?.[1],
        );
    expect(listNews(PERSON_EMAIL)).toEqual(['we have received it', 'First.', 'Second.', 'Third.']);
    expect(listNews('tom@example.com')).toEqual(['they declined it']);
    const event = await readLeadEvent(String(events.at(-1)!['id']), context);
    const { text } = await composeMail(event!, context);
    expect(text).toContain('a later message or change made it unnecessary');
    expect(text).not.toContain('Write to them');
  });

  it('is not sent if notify is neither true nor false, and the request is rejected', async () => {
    const { requests, body } = await openMailFixture();
    const response = await requests.json('/api/lead/action', body({ notify: 'no' }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '/notify' }] });
  });

  it('is not sent about a request that was erased in the meantime', async () => {
    const { fixture, submitLead, send } = await openMailFixture();
    await eraseLead(await submitLead(), 'person', fixture.context);
    expect(await send()).toBe(0);
  });
});

describe('the “This wasn’t me” link', () => {
  const path = '/receipt/{receipt}/not-me';
  const statusOf = async (
    { requests }: Awaited<ReturnType<typeof openMailFixture>>,
    receipt: string,
  ) => (await requests.get('/api/lead/{receipt}', { receipt })).status;

  it('erases the request when its box is checked and its button pressed, not when the page is opened, and permanently stops email', async () => {
    const mailFixture = await openMailFixture();
    const { requests, submitLead, provider, send } = mailFixture;
    const receipt = await submitLead();
    expect(await send()).toBe(1);
    for (const method of ['GET', 'HEAD'])
      expect((await requests.send(path, { method, params: { receipt } })).status).toBe(200);
    expect(await statusOf(mailFixture, receipt)).toBe(200);
    const refused = await requests.form(path, { do: 'erase' }, { params: { receipt } });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { kind: 'not-me', rejection: { errors: [{ pointer: '/sure' }] } },
    ]);
    expect(await statusOf(mailFixture, receipt)).toBe(200);
    const inputs = { do: 'erase', sure: 'yes' };
    const erasedResponse = await requests.form(path, inputs, { params: { receipt } });
    const { name: service } = subsite;
    expect([erasedResponse.status, erasedResponse.headers.get('location')]).toEqual([
      303,
      `/receipt/erased?service=${service}`,
    ]);
    const page = await requests.get(erasedResponse.headers.get('location')!, {});
    expect(await page.json()).toMatchObject({ kind: 'erased', service });
    expect(await statusOf(mailFixture, receipt)).toBe(410);
    await expect(provider(receipt, 'ask', { text: 'Still there?' })).rejects.toMatchObject({
      code: 'gone',
    });
    expect(await send()).toBe(1);
    expect((await requests.get(path, { receipt })).status).toBe(410);
  });

  it.each([
    ['its other button', { do: 'stop' }],
    ['one click in a mail program', { 'List-Unsubscribe': 'One-Click' }],
  ])('stops email but keeps the request, with %s', async (_, inputs) => {
    const mailFixture = await openMailFixture();
    const { fixture, requests, submitLead, provider, send } = mailFixture;
    const receipt = await submitLead();
    await provider(receipt, 'ask', { text: 'Which floor?' });
    const stoppedResponse = await requests.form(path, inputs as Record<string, string>, {
      params: { receipt },
    });
    expect(stoppedResponse.status).toBe(303);
    expect(await send()).toBe(0);
    expect(await statusOf(mailFixture, receipt)).toBe(200);
    const page = (await (await requests.get(path, { receipt })).json()) as object;
    expect(page).toMatchObject({ kind: 'not-me', isUnsubscribed: true });
    expect((await fixture.rows('leads'))[0]).toMatchObject({ notify: 0, status: 'needs_info' });
  });

  it('erases a confirmed request only after a second step, even if it was confirmed in the meantime', async () => {
    const mailFixture = await openMailFixture();
    const { requests, submitLead, provider } = mailFixture;
    const receipt = await submitLead();
    const readView = async () =>
      (await (await requests.get(path, { receipt })).json()) as { canceledByErasure?: string };
    expect((await readView()).canceledByErasure).toBeUndefined();
    await provider(receipt, 'confirm');
    expect((await readView()).canceledByErasure).toBe('booking');
    const post = (inputs: Record<string, string>) =>
      requests.form(path, inputs, { params: { receipt } });
    const refused = await post({ do: 'erase' });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { kind: 'not-me', rejection: { errors: [{ pointer: '/sure' }] } },
    ]);
    expect(await statusOf(mailFixture, receipt)).toBe(200);
    expect((await post({ do: 'erase', sure: 'yes' })).status).toBe(303);
    expect(await statusOf(mailFixture, receipt)).toBe(410);
  });

  it('erases a request with a hold only after a second step', async () => {
    const mailFixture = await openMailFixture();
    const { requests } = mailFixture;
    const holdAction = listActions(site).find((verb) => verb.action.effect?.kind === 'hold')!;
    const mailedLead = await requests.json('/api/lead/action', {
      subsite: holdAction.subsite.name,
      action: holdAction.action.verb,
      fields: exampleValuesOf(holdAction.action.fields),
      contact: { email: PERSON_EMAIL },
    });
    const { receiptToken: receipt } = (await mailedLead.json()) as { receiptToken: string };
    expect(await (await requests.get(path, { receipt })).json()).toMatchObject({
      canceledByErasure: 'hold',
    });
    const post = (inputs: Record<string, string>) =>
      requests.form(path, inputs, { params: { receipt } });
    expect((await post({ do: 'erase' })).status).toBe(400);
    await post({ 'List-Unsubscribe': 'One-Click' });
    expect(await statusOf(mailFixture, receipt)).toBe(200);
    expect((await post({ do: 'erase', sure: 'yes' })).status).toBe(303);
    expect(await statusOf(mailFixture, receipt)).toBe(410);
  });

  it('reports an unknown receipt, and leaves the sandbox unchanged', async () => {
    const { requests } = await openMailFixture();
    expect((await requests.get(path, { receipt: 'x'.repeat(21) })).status).toBe(404);
    const inputs = { do: 'erase', sure: 'yes' };
    const answer = await requests.form(path, inputs, { params: { receipt: 'sandbox' } });
    expect(answer.status).toBe(303);
  });
});
