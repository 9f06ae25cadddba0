import { expect, it } from 'vitest';
import {
  changesOf,
  messageLabelOf,
  messageHintOf,
  quoteLatestMessage,
} from '../../src/components/receipt/changes.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import type { ReceiptView } from '../../src/http/views.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { actionOf } from '../../src/site/registry.ts';
import { customerForm } from '../../src/text/index.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { createLeadInState, site } from './leads-in-states.ts';
import { receiptOf } from './receipt-view.ts';

it('the receipt offers to change something only while a message would answer nothing', async () => {
  const fixture = await openFixture(site);
  const labelIn = async (lead: string) => {
    const view = await receiptOf(fixture, lead);
    return messageLabelOf(changesOf(view, actionOf(site.registry, view.lead)));
  };
  const { days, dates, text } = customerForm.change;
  const { lead } = await createLeadInState(fixture, 'new');
  expect([days, dates, text]).toContain(await labelIn(lead));
  await sendAsProvider(
    { receiptToken: lead, action: 'reply', actor: 'provider' },
    { text: 'Any time.' },
    fixture.context,
  );
  expect(await labelIn(lead)).toBe(customerForm.write);
  for (const state of ['needs_info', 'quoted'] as const)
    expect(await labelIn((await createLeadInState(fixture, state)).lead)).toBe(customerForm.write);
});

const registry = loadRegistry('registry');
const messages = (...texts: string[]) =>
  texts.map((text, index) => ({
    messageId: `m${index + 2}`,
    at: `2026-11-2${index}T12:00:00Z`,
    from: 'person' as const,
    text,
  }));
const viewOf = (subsite: string, verb: string, lead: object = {}) => {
  const request = { fields: [{ name: 'event_date', label: 'Date', value: '2027-06-12' }] };
  const view = {
    lead: { subsite, action: verb, status: 'new', messages: [], request, ...lead },
    newMessages: [],
    state: {},
  } as unknown as ReceiptView;
  return [view, actionOf(registry, view.lead)] as const;
};

it.each([
  ['tables', 'book_tables'],
  ['generator', 'request_generator_quote'],
])(
  'a new receipt for %s asks for the details that the form has no field for, until the customer writes them',
  (...of) => {
    const [view, action] = viewOf(...of);
    expect(messageHintOf(view, action)).toBe(action!.messageHint);
    expect(messageLabelOf(changesOf(view, action))).toBe(customerForm.change.details);
    const [written] = viewOf(...of, { messages: messages('Eight round tables.') });
    expect(messageHintOf(written, action)).toBeUndefined();
    expect(changesOf(written, action)).toBe('dates');
  },
);

it('the receipt quotes the latest message with its time', () => {
  expect(quoteLatestMessage({ messages: [] })).toBeUndefined();
  expect(quoteLatestMessage({ messages: messages('One.', 'x'.repeat(300)) })).toEqual({
    at: '2026-11-21T12:00:00Z',
    quote: `${'x'.repeat(280)}…`,
  });
  const start = 'x'.repeat(274);
  for (const [text, quote] of [
    [`${start} where and`, `${start} where…`],
    [`${start} whereabouts`, `${start}…`],
  ] as const)
    expect(quoteLatestMessage({ messages: messages(text) })?.quote).toBe(quote);
});
