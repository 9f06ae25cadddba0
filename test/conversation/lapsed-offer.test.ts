import { describe, expect, it } from 'vitest';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { createStateAfterRejection } from '../../src/leads/status/receipt-state.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import { namedStateOf } from '../../src/leads/status/timeline.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { client } from '../transports/setup/send.ts';
import { makeOffer, site } from './leads-in-states.ts';
import { answerPageOf, receiptOf } from './receipt-view.ts';

const visit = listActions(site).find(
  ({ action: { visitField, fields } }) => visitField && fields[visitField]!.type === 'string',
)!;
const visitField = visit.action.visitField!;

async function openConversation(address = 'A storage unit') {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const lead = await submitLead(context, visit, undefined, { [visitField]: address });
  const send = async (body: object) =>
    client(fixture).json('/api/lead/{receipt}/messages', body, { params: { receipt: lead } });
  /** The newest email to the provider, and its links. */
  async function readMail() {
    const events = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead);
    const event = (await readLeadEvent(String(events.at(-1)!['id']), context))!;
    const log = await readLog(lead, context);
    const { text } = renderMail(event, site, shownTermsOf(log, context.now(), site));
    return { text: text.replaceAll(/\n(?:\| {0,3})?/g, ' '), links: event.links };
  }
  return { fixture, lead, send, readMail };
}

const confirmedPrice = 'Confirms without a price.';

describe('an offer that the customer declined', () => {
  const declined = 'The customer declined your offer ($450).';

  it('stays the last word on the price in email and on pages for the provider', async () => {
    const { fixture, lead, send, readMail } = await openConversation();
    const offerId = await makeOffer(fixture, lead, { description: 'Both rooms, Monday at 9 AM' });
    await send({ decline: offerId });
    const { text, links } = await readMail();
    // The news of the email says it, so the next step does not repeat it.
    expect(text.split(declined)).toHaveLength(2);
    await send({ text: 'I do want it.' });
    const later = await readMail();
    expect(later.text).toContain(declined);
    expect(later.text).toMatch(
      /Offer, declined by the customer: \$450, sent .+ Both rooms, Monday at 9 AM /,
    );
    const confirmation = `${confirmedPrice} ${declined} To agree on its price, send the offer again.`;
    expect(later.text).toContain(confirmation);
    const page = await answerPageOf(fixture, later.links.confirm!);
    expect(page.confirmationText).toContain(confirmation);
    expect(page.lead.state).toBe('offer_declined');
    expect(page.lead.nextStep).toContain(declined);
    expect((await answerPageOf(fixture, links.confirm!)).lead.change).toBe(
      'the customer has written since then',
    );
  });

  it('is named when a page is out of date', async () => {
    const { fixture, lead, send, readMail } = await openConversation();
    const { links } = await readMail();
    await send({ decline: await makeOffer(fixture, lead) });
    expect((await answerPageOf(fixture, links.offer!)).lead.change).toBe(
      'the customer has declined the offer',
    );
  });

  it('is no longer the headline of the receipt once the customer has written', async () => {
    const { fixture, lead, send } = await openConversation();
    await send({ decline: await makeOffer(fixture, lead) });
    expect((await receiptOf(fixture, lead)).state.headlineKey).toBe('offer_declined');
    await send({ text: 'I do want it.' });
    const { state } = await receiptOf(fixture, lead);
    expect(state).toMatchObject({
      headlineKey: 'offer_declined_wrote',
      due: { deadline: expect.any(String) },
    });
    expect(createStateAfterRejection(state).headlineKey).toBe('offer_declined');
  });

  it('no longer determines the state after another offer', async () => {
    const { fixture, lead, send, readMail } = await openConversation();
    await send({ decline: await makeOffer(fixture, lead) });
    await makeOffer(fixture, lead, { amount: '420.00' });
    const log = await readLog(lead, fixture.context);
    expect(namedStateOf(log)).toBe('quoted');
    expect((await readMail()).text).not.toContain('declined');
  });
});

it('an offer that expired is named before a confirmation, with how to agree on its price', async () => {
  const { fixture, lead, readMail } = await openConversation();
  await makeOffer(fixture, lead);
  fixture.advanceHours(49);
  const { text, links } = await readMail();
  expect(text).toContain('Your offer ($450) has expired. If you do nothing, the request stays');
  const page = await answerPageOf(fixture, links.confirm!);
  expect(page.confirmationText).toContain(
    `${confirmedPrice} Your offer ($450) has expired. To agree on its price, send`,
  );
  expect(page.terms.find(([name]) => name === 'Offer, expired')?.[1]).toMatch(/^\$450, sent /);
});

describe('the address of a visit', () => {
  const missing = 'Street address: None in the request. Unless you have it already, ask for it.';
  const whereOn = async ({ fixture, lead }: Awaited<ReturnType<typeof openConversation>>) =>
    (await receiptOf(fixture, lead)).visit.find(([name]) => name.startsWith('Where'))?.[1];

  it('is asked for on both sides until the customer sends one, even after a confirmation', async () => {
    const conversation = await openConversation();
    const { fixture, lead, send, readMail } = conversation;
    await send({ text: 'Please come on Monday.' });
    const { text, links } = await readMail();
    expect(text).toContain(missing);
    expect(text).toContain('The request has no street address.');
    await client(fixture).json(new URL(links.confirm!).pathname, { text: 'Monday at 9 AM.' });
    expect((await readMail()).text).toContain(missing);
    expect(await whereOn(conversation)).toContain('send it in a message');
    await send({ text: 'It is 22 Elm St.' });
    expect((await readMail()).text).not.toContain(missing);
    expect(await whereOn(conversation)).toBe('At your place');
    expect(lead).toBeTruthy();
  });

  it.each(['Calle Pino 12, Clearwater', '4100 Bayshore, after 5 pm'])(
    'is not called missing if “%s” may be one',
    async (words) => {
      const conversation = await openConversation(words);
      const { text } = await conversation.readMail();
      expect(await whereOn(conversation)).toContain('if the street address is not in it');
      expect(text).not.toContain('Street address');
      expect(text).not.toContain('has no street address');
    },
  );

  it.each([
    'Monday at 9 AM, or December 3',
    'weekdays 9 to 11',
    'Heat pump from 2016; runs but blows warm air.',
    '2 sofas and a fridge',
    '1 queen mattress, 2 chairs',
    'It is 15 years old',
    'Samsung model 4200',
  ])('is asked for if the request only has “%s”', async (words) =>
    expect((await (await openConversation(words)).readMail()).text).toContain(missing),
  );

  it('is not asked for if the request has it', async () => {
    const conversation = await openConversation('22 Elm Street, two rooms');
    expect((await conversation.readMail()).text).not.toContain('Street address');
    expect(await whereOn(conversation)).toBe('At your address');
  });
});
