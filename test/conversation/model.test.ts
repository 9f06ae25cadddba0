import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providerActions } from '../../src/leads/conversation/conversation.ts';
import { leadTransitions, type LeadStatus } from '../../src/leads/lead-states.ts';
import { readLog, conversationOf } from '../../src/leads/lead-log.ts';
import { Problem } from '../../src/operation/problem.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { openFixture, type Fixture } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';
import { createPropertyParameters } from '../setup/seeds.ts';
import { createLeadInState, site } from './leads-in-states.ts';
import { receiptOf } from './receipt-view.ts';

type Step =
  | { side: 'person'; action: 'reply' | 'accept' | 'decline' | 'withdraw'; lost: boolean }
  | { side: 'provider'; action: (typeof providerActions)[number]; confirmOnAccept: boolean }
  | { side: 'clock'; hours: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      side: fc.constant('person' as const),
      action: fc.constantFrom('reply', 'accept', 'accept', 'decline', 'withdraw'),
      lost: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      side: fc.constant('provider' as const),
      action: fc.constantFrom(...providerActions, 'offer' as const),
      confirmOnAccept: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      side: fc.constant('clock' as const),
      hours: fc.constantFrom(1, 30, 49),
    }),
  },
);

/**
 * Problem codes for rejections because of the lead’s state or because another caller was faster.
 */
const refusals = new Set(['conflict', 'gone', 'invalid_input']);

/** True if a call succeeded. A rejection is allowed; any other error fails the test. */
const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem && refusals.has(error.code)) return false;
      throw error;
    },
  );

let keys = 0;
const findLatestOfferId = async (fixture: Fixture, lead: string): Promise<string> =>
  String(
    (await fixture.rows('offers')).filter((row) => row['lead'] === lead).at(-1)?.['id'] ?? 'none',
  );

/** Runs a step. Returns true if it must have added an entry. */
async function runStep(step: Step, lead: string, fixture: Fixture): Promise<boolean> {
  const { context } = fixture;
  if (step.side === 'clock') {
    fixture.advanceHours(step.hours);
    return false;
  }
  if (step.side === 'provider') {
    const body = {
      ...(step.action === 'offer' && {
        amount: '45',
        currency: 'USD',
        expires: '48h',
        confirmOnAccept: step.confirmOnAccept,
      }),
      text: 'x',
    };
    return succeeds(
      sendAsProvider({ receiptToken: lead, action: step.action, actor: 'provider' }, body, context),
    );
  }
  const offer = await findLatestOfferId(fixture, lead);
  const body = {
    reply: { text: 'y' },
    accept: { accept: offer },
    decline: { decline: offer },
    // Without new text, a repeated withdrawal succeeds although it adds no entry.
    withdraw: { withdraw: true, text: `withdrawal ${++keys}` },
  }[step.action];
  const call = { channel: 'json' as const, idempotencyKey: `key-of-the-model-${++keys}` };
  const send = () =>
    sendMessage.handle(sendMessage.parse({ ...body, receipt: lead }, context), call, context);
  const succeeded = await succeeds(send());
  // The response was lost: a retry returns the first result and changes nothing.
  if (step.lost && succeeded) expect((await send()).replayed).toBe(true);
  return succeeded;
}

/** Checks that history, messages, offers and the views of all channels agree. */
async function check(lead: string, fixture: Fixture): Promise<void> {
  const { get } = client(fixture);
  const readTableRows = async (table: 'lead_history' | 'outbox' | 'offers' | 'leads') =>
    (await fixture.rows(table)).filter((row) => (row['lead'] ?? row['token']) === lead);
  const [history, events, offers, [row]] = [
    await readTableRows('lead_history'),
    await readTableRows('outbox'),
    await readTableRows('offers'),
    await readTableRows('leads'),
  ];
  const states = history.map(({ status }) => status as LeadStatus);
  for (const [index, state] of states.slice(1).entries())
    if (state !== states[index])
      expect(leadTransitions[states[index]!] as readonly string[]).toContain(state);
  expect(row!['status']).toBe(states.at(-1));
  expect(events.length, 'an event for each entry').toBe(history.length);
  for (const offer of offers)
    expect(states[history.findIndex(({ id }) => id === offer['entry'])]).toBe('quoted');

  const shownStatus = (await (await get('/api/lead/{receipt}', { receipt: lead })).json()) as any;
  const conversation = conversationOf(await readLog(lead, fixture.context));
  const isOfferOpen =
    conversation.offer && conversation.offer.expiresAt > fixture.context.now().toISOString();
  expect(shownStatus.offer?.offerId).toBe(isOfferOpen ? conversation.offer!.offerId : undefined);
  expect(shownStatus.next.includes('accept')).toBe(Boolean(isOfferOpen));
  expect(shownStatus.status).toBe(states.at(-1));
  expect(shownStatus.messages.length).toBe(
    history.filter(({ id, note }) => note !== null || offers.some(({ entry }) => entry === id))
      .length,
  );
  const page = await receiptOf(fixture, lead);
  expect(page.lead).toEqual(shownStatus);
  const event = (await readLeadEvent(String(events.at(-1)!['id']), fixture.context))!;
  expect(event.lead.status).toBe(shownStatus.status);
  if (event.change) expect(event.change.note).toBe(history.at(-1)!['note']);
}

describe('random conversations between both sides', async () => {
  const fixture = await openFixture(site);

  it('keep every message, and show it once in every view, step by step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 14 }), async (steps) => {
        const { lead } = await createLeadInState(fixture, 'new');
        let entries = 1;
        for (const step of steps) {
          entries += Number(await runStep(step, lead, fixture));
          const log = await readLog(lead, fixture.context);
          expect(log.entries.length).toBe(entries);
        }
        await check(lead, fixture);
      }),
      createPropertyParameters(25),
    );
  });

  it('carry out or refuse each step as a whole when all steps run at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 10 }), async (steps) => {
        const { lead } = await createLeadInState(fixture, 'quoted');
        const outcomes = await Promise.all(steps.map((step) => runStep(step, lead, fixture)));
        const log = await readLog(lead, fixture.context);
        expect(log.entries.length).toBe(2 + outcomes.filter(Boolean).length);
        await check(lead, fixture);
      }),
      createPropertyParameters(15),
    );
  });
});
