import { expect, it } from 'vitest';
import { changesOf, messageLabelOf } from '../../src/components/receipt/changes.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { customerForm } from '../../src/text/index.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { createLeadInState, site } from './leads-in-states.ts';
import { receiptOf } from './receipt-view.ts';

it('the receipt offers to change something only while a message would answer nothing', async () => {
  const fixture = await openFixture(site);
  const labelIn = async (lead: string) => messageLabelOf(changesOf(await receiptOf(fixture, lead)));
  const { days, text } = customerForm.change;
  const { lead } = await createLeadInState(fixture, 'new');
  expect([days, text]).toContain(await labelIn(lead));
  await sendAsProvider(
    { lead, action: 'reply', actor: 'provider' },
    { text: 'Any time.' },
    fixture.context,
  );
  expect(await labelIn(lead)).toBe(customerForm.write);
  for (const state of ['needs_info', 'quoted'] as const)
    expect(await labelIn((await createLeadInState(fixture, state)).lead)).toBe(customerForm.write);
});
