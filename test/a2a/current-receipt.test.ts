import { TaskState } from '@a2a-js/sdk';
import { expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { readLeadStatus } from '../../src/leads/status/read-lead-status.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { createLeadInState, site } from '../conversation/leads-in-states.ts';
import { openFixture, type Fixture } from '../operations/setup/fixture.ts';
import { findActionWithEffect } from '../operations/setup/holds.ts';
import { listActions } from '../operations/setup/actions.ts';
import { createBindingClient, dataIn, message, receiptOf, taskOf } from './setup/endpoint.ts';

const { subsite, action } = listActions(site).find(({ action: { effect } }) => !effect)!;
const plainRequest = {
  subsite: subsite.name,
  action: action.verb,
  fields: exampleValuesOf(action.fields),
};

async function open() {
  const fixture = await openFixture(site);
  const client = await createBindingClient(fixture.context, 'JSONRPC');
  const send = async (...content: Parameters<typeof message>) =>
    taskOf(await client.sendMessage(message(...content)));
  const read = (id: string) => client.getTask({ tenant: '', id, historyLength: undefined });
  return { fixture, client, send, read };
}
const statusOf = async (lead: string, { context }: Fixture) =>
  (await readLeadStatus.handle({ receiptToken: lead }, { channel: 'json' }, context)).output;
const withText = (text: string, data: object) => [
  ...message({ text }).message!.parts,
  ...message({ data }).message!.parts,
];

it('a reply without visible characters is rejected', async () => {
  const { fixture, send } = await open();
  const { lead } = await createLeadInState(fixture, 'needs_info');
  for (const content of [{ text: '\u200b' }, { data: { text: '\u200b' } }])
    await expect(send(content, { taskId: lead })).rejects.toThrow('not valid');
  expect((await statusOf(lead, fixture)).status).toBe('needs_info');
  const parts = withText('\u200b', plainRequest);
  const waiting = await send({ data: plainRequest }, { parts });
  expect(dataIn(waiting.status?.message?.parts).errors).toMatchObject([{ pointer: '/text' }]);
});

it('a request with text that its lead no longer accepts returns its task, which says that the text was not sent', async () => {
  const { fixture, client, send } = await open();
  const data = { ...plainRequest, idempotencyKey: crypto.randomUUID() };
  const first = await send({ data });
  await client.cancelTask({ tenant: '', id: first.id, metadata: undefined });
  const parts = withText('Please call after 5 pm.', data);
  const repeated = await send({ data }, { parts });
  expect([repeated.id, repeated.status?.state]).toEqual([first.id, TaskState.TASK_STATE_CANCELED]);
  expect(receiptOf(repeated).receiptToken).toBe(receiptOf(first).receiptToken);
  expect(repeated.status?.message?.parts[0]?.content?.value).toMatch(
    /^The request was stored, but the text was not sent: .*accepts no more replies/,
  );
  expect((await fixture.rows('leads')).length).toBe(1);
});

it('the receipt of a task has the current hold, warnings and days of its lead', async () => {
  const { fixture, send, read } = await open();
  const { effect, ...hold } = findActionWithEffect('hold');
  const [item, other] = itemsOf(site.registry, effect.catalog);
  const days = (from: string, to: string) => ({ [effect.fromField]: from, [effect.toField]: to });
  const fields = {
    ...exampleValuesOf(hold.action.fields),
    [effect.itemField]: item!.id,
    ...days('2027-05-03', '2027-05-04'),
  };
  const created = await send({
    data: { subsite: hold.subsite.name, action: hold.action.verb, fields },
  });
  const { receiptToken: lead, ...receipt } = receiptOf(created);
  expect(receipt.hold.expiresAt).toBe((await statusOf(lead, fixture)).hold!.expiresAt);
  expect(receipt.warnings.map(({ code }: { code: string }) => code)).toContain('no_contact');

  const offered = { item: other!.id, from: '2027-05-10', to: '2027-05-12' };
  const price = { amount: '129', currency: 'USD', expires: '24h', confirmOnAccept: true };
  await sendAsProvider(
    { receiptToken: lead, action: 'offer', actor: 'provider' },
    { ...price, ...offered },
    fixture.context,
  );
  const { offerId } = (await statusOf(lead, fixture)).offer!;
  await send({ data: { accept: offerId } }, { taskId: created.id });
  const confirmed = receiptOf(await read(created.id));
  expect(confirmed).toMatchObject({ status: 'confirmed' });
  expect(confirmed).not.toHaveProperty('hold');
  expect(confirmed).not.toHaveProperty('warnings');
  expect(confirmed.request).toEqual((await statusOf(lead, fixture)).request);
});

it('the receipt of a task has the URL of its storefront only while the storefront exists', async () => {
  const { client, send } = await open();
  const { effect, ...storefront } = findActionWithEffect('storefront');
  const fields = {
    ...exampleValuesOf(storefront.action.fields),
    [effect.nameField]: 'Harbor Books',
  };
  const created = await send({
    data: { subsite: storefront.subsite.name, action: storefront.action.verb, fields },
  });
  expect(receiptOf(created).previewUrl).toContain('/biz/harbor-books-');
  const canceled = await client.cancelTask({ tenant: '', id: created.id, metadata: undefined });
  expect(receiptOf(canceled)).not.toHaveProperty('previewUrl');
});

it('canceling a task never withdraws a request that is confirmed at the same time', async () => {
  const { fixture } = await open();
  const { lead } = await createLeadInState(fixture, 'acknowledged');
  let confirm: (() => Promise<void>) | undefined = () =>
    changeLead({ receiptToken: lead, to: 'confirmed', actor: 'provider' }, fixture.context);
  const { writer } = fixture.database;
  const racingWriter = Object.assign(Object.create(writer) as typeof writer, {
    batch: async (statements: Parameters<typeof writer.batch>[0]) => {
      const first = confirm;
      confirm = undefined;
      await first?.();
      return writer.batch(statements);
    },
  });
  const racingContext = {
    ...fixture.context,
    database: { ...fixture.database, writer: racingWriter },
  };
  const client = await createBindingClient(racingContext, 'JSONRPC');
  await expect(client.cancelTask({ tenant: '', id: lead, metadata: undefined })).rejects.toThrow(
    'This task is completed and was not canceled',
  );
  expect((await statusOf(lead, fixture)).status).toBe('confirmed');
});

it('a reply may have 4,000 characters of any kind, and the error for a longer one calls it a reply', async () => {
  const { fixture, send } = await open();
  const { lead } = await createLeadInState(fixture, 'needs_info');
  await expect(send({ text: '😀'.repeat(4_001) }, { taskId: lead })).rejects.toThrow(
    'A reply may have at most 4000 characters.',
  );
  await expect(send({ text: '😀'.repeat(4_001) })).rejects.toThrow(
    'A question may have at most 4000 characters.',
  );
  await send({ text: '😀'.repeat(4_000) }, { taskId: lead });
  expect((await statusOf(lead, fixture)).status).toBe('acknowledged');
});
