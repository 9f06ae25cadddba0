import { type Task, TaskState } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { writeA2aTask } from '../../src/a2a/a2a-task-record.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { type LeadStatus, leadStatuses } from '../../src/leads/lead-states.ts';
import { readLeadStatus } from '../../src/leads/status/read-lead-status.ts';
import { createLeadInState, makeOffer, site } from '../conversation/leads-in-states.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { client as httpClient } from '../transports/setup/send.ts';
import {
  bindings,
  createBindingClient,
  dataIn,
  message,
  receiptOf,
  taskOf,
} from './setup/endpoint.ts';

const [{ subsite, action }] = listActions(site).filter(({ action: { effect } }) => !effect) as [
  ReturnType<typeof listActions>[number],
];
const validRequest = {
  subsite: subsite.name,
  action: action.verb,
  fields: exampleValuesOf(action.fields),
  contact: { name: 'Dana Unmistakable', email: 'unmistakable@example.com' },
};

/** Task state for each lead state. */
const taskStateByStatus: Record<Exclude<LeadStatus, 'erased'>, TaskState> = {
  new: TaskState.TASK_STATE_WORKING,
  acknowledged: TaskState.TASK_STATE_WORKING,
  needs_info: TaskState.TASK_STATE_INPUT_REQUIRED,
  quoted: TaskState.TASK_STATE_INPUT_REQUIRED,
  accepted: TaskState.TASK_STATE_WORKING,
  confirmed: TaskState.TASK_STATE_COMPLETED,
  declined: TaskState.TASK_STATE_REJECTED,
  withdrawn: TaskState.TASK_STATE_CANCELED,
  expired: TaskState.TASK_STATE_FAILED,
};
const states = leadStatuses.filter((status) => status !== 'erased');

const textIn = ({ status }: Task): string =>
  status?.message?.parts.flatMap(({ content }) =>
    content?.$case === 'text' ? [content.value] : [],
  )[0] ?? '';
const statusDataIn = ({ status }: Task) => dataIn(status?.message?.parts);
/** Author and content of each message in the history. */
const messagesIn = ({ history }: Task) =>
  history.map(({ role, parts }) => [
    role,
    ...parts.map(({ content }) => (content?.$case === 'text' ? content.value : 'data')),
  ]);
const errorNameOf = (thrown: unknown): string => (thrown as Error).name;

describe.each(bindings)('the task of a lead over %s', async (binding) => {
  const fixture = await openFixture(site);
  const { context, rows } = fixture;
  const client = await createBindingClient(context, binding);
  const { get, json } = httpClient(fixture);

  const read = (id: string, historyLength?: number) =>
    client.getTask({ tenant: '', id, historyLength });
  const list = (contextId: string, more: object = {}) =>
    client.listTasks({
      tenant: '',
      contextId,
      status: 0,
      pageSize: 50,
      pageToken: '',
      historyLength: undefined,
      statusTimestampAfter: undefined,
      includeArtifacts: true,
      ...more,
    });
  async function createTask(more: object = {}) {
    const task = taskOf(await client.sendMessage(message({ data: validRequest }, more)));
    return { ...task, lead: receiptOf(task).receiptToken as string };
  }
  const reply = async (taskId: string, content: Parameters<typeof message>[0], more: object = {}) =>
    taskOf(await client.sendMessage(message(content, { taskId, ...more })));
  const askCustomer = (lead: string, note: string) =>
    changeLead({ receiptToken: lead, to: 'needs_info', actor: 'provider', note }, context);
  const statusOf = async (lead: string) =>
    (await readLeadStatus.handle({ receiptToken: lead }, { channel: 'json' }, context)).output;
  /** Moves a new lead to a state with messages from both sides. */
  async function moveLeadTo(lead: string, status: LeadStatus): Promise<string> {
    let offerId = 'none';
    if (status === 'quoted' || status === 'accepted') offerId = await makeOffer(fixture, lead);
    else if (status !== 'new')
      await changeLead(
        {
          receiptToken: lead,
          to: status,
          actor: status === 'expired' ? 'system' : status === 'withdrawn' ? 'person' : 'provider',
        },
        context,
      );
    if (status === 'accepted')
      await changeLead({ receiptToken: lead, to: 'accepted', actor: 'person' }, context);
    return offerId;
  }

  it.each(states)('has the task state for the lead state %s', async (status) => {
    const { id, contextId, lead } = await createTask();
    await moveLeadTo(lead, status);
    const task = await read(id);
    expect(task.status?.state).toBe(taskStateByStatus[status]);
    const { next, notice, phone, updatedAt } = await statusOf(lead);
    expect([task.status?.timestamp, statusDataIn(task)]).toEqual([
      updatedAt,
      expect.objectContaining({ status, next, notice }),
    ]);
    expect(textIn(task)).toContain(notice);
    for (const shown of [task.status, task.artifacts, (await createTask()).status])
      expect(JSON.stringify(shown)).toContain(`To call the provider: ${phone}.`);
    const { tasks, totalSize } = await list(contextId);
    expect([totalSize, tasks]).toEqual([1, [task]]);
    expect(receiptOf(task).receiptToken).toBe(lead);
  });

  it('shows the question as its message, accepts a text reply, and keeps both in its history', async () => {
    const { id, lead } = await createTask();
    await askCustomer(lead, 'How wide is the gate?');
    const taskWithQuestion = await read(id);
    expect(taskWithQuestion.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(textIn(taskWithQuestion)).toMatch(/^The provider wrote:\n\| How wide is the gate\?\n/);
    const answered = await reply(id, { text: 'Six feet.' });
    expect(answered.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    expect(messagesIn(answered).slice(1)).toEqual([
      [2, 'How wide is the gate?'],
      [1, 'Six feet.'],
    ]);
    expect(await read(id)).toEqual(answered);
    expect((await read(id, 1)).history).toEqual(answered.history.slice(-1));
    expect((await statusOf(lead)).messages.map(({ text }) => text)).toEqual([
      'How wide is the gate?',
      'Six feet.',
    ]);
    expect(new Set(answered.history.map(({ messageId }) => messageId)).size).toBe(3);
  });

  it('reports after a text message that the offer is still open', async () => {
    const { id, lead } = await createTask();
    await moveLeadTo(lead, 'quoted');
    const reminder = 'Your message did not accept the offer, which is still open.';
    expect(textIn(await read(id))).not.toContain(reminder);
    const replied = textIn(await reply(id, { text: 'Yes, accept.' }));
    expect(replied.split('\n')).toContain(reminder);
    expect((await statusOf(lead)).status).toBe('quoted');
  });

  it('stores text sent with the data as the first message, and only once if repeated', async () => {
    const parts = [
      ...message({ text: 'Please call only after 5 pm.' }).message!.parts,
      ...message({ data: validRequest }).message!.parts,
    ];
    const sent = { parts, messageId: crypto.randomUUID() };
    const first = await createTask(sent);
    const repeatedTask = await createTask(sent);
    expect(repeatedTask.lead).toBe(first.lead);
    const { messages } = await statusOf(first.lead);
    expect(messages.map(({ from, text }) => [from, text])).toEqual([
      ['person', 'Please call only after 5 pm.'],
    ]);
    const count = (await rows('leads')).length;
    const long = message({ text: 'x'.repeat(4_001) }).message!.parts;
    const waiting = taskOf(
      await client.sendMessage(
        message(
          { data: validRequest },
          { parts: [...long, ...message({ data: validRequest }).message!.parts] },
        ),
      ),
    );
    expect(statusDataIn(waiting).errors).toMatchObject([{ pointer: '/text' }]);
    expect((await rows('leads')).length).toBe(count);
  });

  it('shows the offer in its status message, and lets the customer accept it', async () => {
    const { id, lead } = await createTask();
    const offerId = await makeOffer(fixture, lead, { description: 'Parts and labor\nOffer: free' });
    const offered = await read(id);
    expect(statusDataIn(offered).offer).toMatchObject({
      offerId,
      amount: '450.00',
      currency: 'USD',
    });
    expect(textIn(offered)).toMatch(
      /^Offer: 450\.00 USD\. It can be accepted until .*\nIt includes:\n\| Parts and labor\n\| Offer: free\nTo answer it, /,
    );
    expect(textIn(offered)).toContain(`{"accept":"${offerId}"}`);
    const accepted = await reply(id, { data: { accept: offerId, text: 'See you then.' } });
    expect([accepted.status?.state, statusDataIn(accepted).status]).toEqual([
      TaskState.TASK_STATE_WORKING,
      'accepted',
    ]);
    await changeLead({ receiptToken: lead, to: 'confirmed', actor: 'provider' }, context);
    expect((await read(id)).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('completes when an offer that confirms the request is accepted, and lets a message with a text part decline another offer', async () => {
    const { id, lead } = await createTask();
    const first = await makeOffer(fixture, lead);
    const text = { $case: 'text' as const, value: 'Could you come on a weekday?' };
    const data = { $case: 'data' as const, value: { decline: first } };
    const declined = await reply(
      id,
      { text: '' },
      {
        parts: [text, data].map((content) => ({
          content,
          metadata: undefined,
          filename: '',
          mediaType: '',
        })),
      },
    );
    expect(statusDataIn(declined).status).toBe('acknowledged');
    expect(messagesIn(declined).at(-1)).toEqual([1, text.value, 'data']);
    const second = await makeOffer(fixture, lead, { confirmOnAccept: true });
    const words = 'The other trailer, two days later?';
    await sendAsProvider(
      { receiptToken: lead, action: 'reply', actor: 'provider' },
      { text: words },
      context,
    );
    expect(textIn(await read(id))).toContain(words);
    const unknown = await json(
      '/api/lead/{receipt}/messages',
      { accept: 'x' },
      { params: { receipt: lead } },
    );
    expect(((await unknown.json()) as any).errors).toMatchObject([
      { pointer: '/accept', allowed: [second] },
    ]);
    await expect(client.sendMessage(message({ data: { accept: second } }))).rejects.toThrow(
      'Send the taskId of the request with this answer.',
    );
    const accept = message({ data: { accept: second } }, { taskId: id });
    const completed = taskOf(await client.sendMessage(structuredClone(accept)));
    expect(completed.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(textIn(completed)).toMatch(/^You accepted the offer, which confirms this request\./);
    const current = await get(`/api/lead/${lead}`, {});
    expect(receiptOf(completed).statusEtag).toBe(current.headers.get('etag'));
    // A client that missed the response accepts again.
    expect(taskOf(await client.sendMessage(accept))).toEqual(completed);
  });

  it('can be withdrawn with a data part or CancelTask, and either can be repeated', async () => {
    const firstTask = await createTask();
    expect((await reply(firstTask.id, { data: { withdraw: true } })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    const other = await createTask();
    for (const _ of ['once', 'again'])
      expect(
        (await client.cancelTask({ tenant: '', id: other.id, metadata: undefined })).status?.state,
      ).toBe(TaskState.TASK_STATE_CANCELED);
    for (const { lead } of [firstTask, other])
      expect((await statusOf(lead)).status).toBe('withdrawn');
    expect((await statusOf(other.lead)).history.length).toBe(2);
  });

  it('stays completed if a client tries to cancel it, and the error explains how to withdraw a confirmed request', async () => {
    const { id, lead } = await createTask();
    await moveLeadTo(lead, 'confirmed');
    const withdrawal = '{"withdraw":true}';
    await expect(client.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toThrow(
      withdrawal,
    );
    expect((await statusOf(lead)).status).toBe('confirmed');
    const completed = textIn(await read(id));
    expect(completed).toContain(withdrawal);
    expect(completed).not.toContain('cancel the task');
    const withdrawn = await reply(id, { data: JSON.parse(withdrawal) });
    expect(withdrawn.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  it('can be found by its receipt token, whichever channel the request came through', async () => {
    const createdTask = await createTask();
    expect((await read(createdTask.lead)).id).toBe(createdTask.id);
    const { lead } = await createLeadInState(fixture, 'new');
    await askCustomer(lead, 'How wide is the gate?');
    const taskWithQuestion = await read(lead);
    expect([taskWithQuestion.id, taskWithQuestion.status?.state]).toEqual([
      lead,
      TaskState.TASK_STATE_INPUT_REQUIRED,
    ]);
    const { receiptToken, statusUrl, subsite: name } = await statusOf(lead);
    expect(receiptOf(taskWithQuestion)).toMatchObject({ receiptToken, statusUrl, subsite: name });
    const answered = await reply(lead, { text: 'Six feet.' });
    expect(answered.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    expect(messagesIn(answered).slice(1)).toEqual([
      [2, 'How wide is the gate?'],
      [1, 'Six feet.'],
    ]);
    const canceled = await client.cancelTask({ tenant: '', id: lead, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await statusOf(lead)).status).toBe('withdrawn');
    await eraseLead(lead, 'person', context);
    for (const unknown of [lead, 'A'.repeat(21)])
      await expect(read(unknown)).rejects.toThrow('There is no task with this ID');
  });

  it('has a history with the request and every acceptance, refusal and withdrawal', async () => {
    const { id, lead } = await createTask();
    const declined = await makeOffer(fixture, lead);
    await reply(id, { data: { decline: declined } });
    const offerId = await makeOffer(fixture, lead);
    await reply(id, { data: { accept: offerId, text: 'See you then.' } });
    await reply(id, { data: { withdraw: true } });
    const { history } = await read(id);
    const { request } = await statusOf(lead);
    expect(history.map(({ role, parts }) => [role, dataIn(parts)])).toEqual([
      [1, { request }],
      [2, { offer: expect.objectContaining({ offerId: declined }) }],
      [1, { decline: declined }],
      [2, { offer: expect.objectContaining({ offerId }) }],
      [1, { accept: offerId }],
      [1, { withdraw: true }],
    ]);
    expect(messagesIn({ history } as Task)[0]).toEqual([1, request.title, 'data']);
    expect(messagesIn({ history } as Task)[4]).toEqual([1, 'See you then.', 'data']);
    expect(JSON.stringify(history)).not.toMatch(/unmistakable/i);
    for (const length of [0, 1, 3])
      expect((await read(id, length)).history).toEqual(length ? history.slice(-length) : []);
  });

  it('records a repeated message once, even if both copies arrive together, but allows the same message ID in two tasks', async () => {
    const [firstTask, other] = [await createTask(), await createTask()];
    const repeatedMessage = message(
      { text: 'Is Friday possible?' },
      { taskId: firstTask.id, messageId: '1' },
    );
    await Promise.all(
      Array.from({ length: 4 }, () => client.sendMessage(structuredClone(repeatedMessage))),
    );
    await client.sendMessage(repeatedMessage);
    await reply(other.id, { text: 'Is Friday possible?' }, { messageId: '1' });
    for (const { lead } of [firstTask, other])
      expect((await statusOf(lead)).messages.length).toBe(1);
  });

  it('accepts an idempotencyKey in its data', async () => {
    const { id, lead } = await createTask();
    const idempotencyKey = `a-key-of-a-reply-over-${binding}`;
    for (const _ of ['once', 'again']) await reply(id, { data: { text: 'Hello', idempotencyKey } });
    expect((await statusOf(lead)).messages.length).toBe(1);
    await expect(reply(id, { data: { text: 'Else', idempotencyKey } })).rejects.toThrow(/key/);
  });

  it.each([
    [{ accept: 5 }, /There is no open offer/],
    [{ accept: 'none', withdraw: true }, /not valid/],
    [{ withdraw: false }, /not valid/],
    [{}, /not valid/],
    [[], /not valid/],
    [5, /not valid/],
    [{ receipt: 'x', text: 'Hello' }, /not valid/],
    [validRequest, /values are not valid/],
    [{ text: ' ' }, /not valid/],
  ])('rejects %j and does not change', async (data, reason) => {
    const { id, lead } = await createTask();
    await askCustomer(lead, 'When?');
    const taskBefore = await read(id);
    await expect(reply(id, { data })).rejects.toThrow(reason);
    expect(await read(id)).toEqual(taskBefore);
  });

  it('rejects actions that its state does not allow, and lists the allowed actions', async () => {
    const { id, lead } = await createTask();
    const thrown = await reply(id, { data: { accept: 'offer0000' } }).catch(
      (error: unknown) => error,
    );
    expect(String(thrown)).toMatch(/no such offer.*Allowed actions: reply, withdraw, erase/);
    if (binding === 'JSONRPC') expect(errorNameOf(thrown)).toBe('UnsupportedOperationError');
    await changeLead(
      { receiptToken: lead, to: 'declined', actor: 'provider', note: 'Fully booked.' },
      context,
    );
    expect(textIn(await read(id))).toMatch(/^The provider wrote:\n\| Fully booked\.\n/);
    await expect(reply(id, { text: 'And next week?' })).rejects.toThrow(
      /accepts no more replies: its state is declined\..*erase/,
    );
    await expect(client.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toThrow(
      /cannot be canceled.*erase/,
    );
    await expect(reply(id, { text: 'Hello' }, { contextId: 'another' })).rejects.toThrow(
      'contextId belongs to another task',
    );
  });

  it('leaves no trace of an erased lead, even if the lead is erased during creation', async () => {
    const { id, contextId, lead } = await createTask();
    await reply(id, { text: 'Unmistakable reply' });
    expect(JSON.stringify(await rows('a2a_tasks'))).not.toMatch(/unmistakable/i);
    await eraseLead(lead, 'person', context);
    for (const call of [
      () => read(id),
      () => reply(id, { text: 'Hello' }),
      () => client.cancelTask({ tenant: '', id, metadata: undefined }),
    ])
      await expect(call()).rejects.toThrow('There is no task with this ID');
    expect((await list(contextId)).tasks).toEqual([]);
    await writeA2aTask({ id, contextId, task: {}, lead, isFinal: true }, context);
    expect((await rows('a2a_tasks')).filter((row) => row['lead'] === lead)).toEqual([]);
  });

  it('is listed in pages, only in its own context, filtered by state, with the latest change first', async () => {
    const contextId = crypto.randomUUID();
    const tasks: Awaited<ReturnType<typeof createTask>>[] = [];
    for (const note of ['a', 'b', 'c']) {
      const data = { ...validRequest, contact: { name: note } };
      const task = taskOf(await client.sendMessage(message({ data }, { contextId })));
      tasks.push({ ...task, lead: receiptOf(task).receiptToken as string });
      fixture.advanceHours(1);
    }
    await askCustomer(tasks[0]!.lead, 'When?');
    const expectedIds = [tasks[0]!, tasks[2]!, tasks[1]!].map(({ id }) => id);
    const idsOf = ({ tasks: page }: { tasks: Task[] }) => page.map(({ id }) => id);
    expect(idsOf(await list(contextId))).toEqual(expectedIds);
    const first = await list(contextId, { pageSize: 2 });
    const second = await list(contextId, { pageSize: 2, pageToken: first.nextPageToken });
    expect([idsOf(first), idsOf(second), second.nextPageToken, second.totalSize]).toEqual([
      expectedIds.slice(0, 2),
      expectedIds.slice(2),
      '',
      3,
    ]);
    expect(idsOf(await list(contextId, { status: TaskState.TASK_STATE_INPUT_REQUIRED }))).toEqual(
      expectedIds.slice(0, 1),
    );
    expect(
      idsOf(await list(contextId, { statusTimestampAfter: tasks[2]!.status!.timestamp })),
    ).toEqual(expectedIds.slice(0, 2));
    const [removeDetails] = (await list(contextId, { includeArtifacts: false, historyLength: 0 }))
      .tasks;
    expect([removeDetails!.artifacts, removeDetails!.history]).toEqual([[], []]);
    for (const pageToken of ['x', 'bnVsbA', 'WzEsMl0'])
      await expect(list(contextId, { pageToken })).rejects.toThrow('nextPageToken');
    for (const other of ['', crypto.randomUUID()]) expect((await list(other)).tasks).toEqual([]);
  });

  it.each([
    'mine',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '11111111-1111-1111-1111-111111111111',
    '11111111-1111-4111-8111-111111111111',
    '00000000-0000-4000-8000-000000000001',
    '019ac3f0-5b1e-7000-8000-000000000000',
    // Version 1 has a time and a network address; variant c is not that of RFC 9562.
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    '0d9c2f1e-37ab-4e58-c6d4-f1a2b3c4d5e6',
  ])('in the guessable context %s are not listed', async (contextId) => {
    await createTask({ contextId });
    expect((await list(contextId)).tasks).toEqual([]);
  });

  it.each([
    '0d9c2f1e-37ab-4e58-86d4-f1a2b3c4d5e6',
    '0D9C2F1E37AB4E5886D4F1A2B3C4D5E7',
    '019ac3f0-5b1e-7a4c-9d2e-3b6f81c7a905',
  ])('in the random context %s are listed', async (contextId) => {
    const { id } = await createTask({ contextId });
    expect((await list(contextId)).tasks).toMatchObject([{ id }]);
  });
});
