import { TaskState } from '@a2a-js/sdk';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { eraseOldResults } from '../../src/capabilities/advance-tasks.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { eraseLead, purgeLeads } from '../../src/leads/erase/erase-lead.ts';
import { SAMPLE_OFFER_ID } from '../../src/leads/status/sample-lead.ts';
import { openDatabase } from '../../db/index.ts';
import { listActions } from '../operations/setup/actions.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import {
  bindings,
  createBindingClient,
  dataIn,
  createEndpoint,
  message,
  receiptOf,
  taskOf,
} from './setup/endpoint.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const [{ subsite, action }] = listActions(site).filter(
  (verb) =>
    !verb.action.effect && Object.values(verb.action.fields).some((field) => field.required),
) as unknown as [ReturnType<typeof listActions>[number]];
const contact = {
  name: 'Dana Unmistakable',
  email: 'unmistakable@example.com',
  phone: '+17275550142',
};
const validRequest = {
  subsite: subsite.name,
  action: action.verb,
  fields: exampleValuesOf(action.fields),
  contact,
};
const incompleteRequest = { ...validRequest, fields: {} };

describe.each(bindings)('tasks over %s', async (binding) => {
  const fixture = await openFixture(site);
  const { context, rows } = fixture;
  const client = await createBindingClient(context, binding);
  const listStoredTasks = () =>
    context.database.writer.all<{ id: string; task: string; lead: string | null }>(
      sql`select * from a2a_tasks`,
    );

  const getTask = (id: string) => client.getTask({ id, tenant: '', historyLength: undefined });

  it('have already ended in the sandbox, and explain how to rehearse the next steps', async () => {
    const task = taskOf(
      await client.sendMessage(message({ data: { ...validRequest, sandbox: true } })),
    );
    expect(task).toMatchObject({ status: { state: TaskState.TASK_STATE_COMPLETED } });
    expect(receiptOf(task)).toMatchObject({ receiptToken: 'sandbox', sandbox: true });
    expect(JSON.stringify(task.status?.message)).toContain('read the task sandbox-needs_info');
  });

  it('rehearse questions, offers and withdrawals in the sandbox, and store nothing', async () => {
    const countsBefore = [(await listStoredTasks()).length, (await rows('leads')).length];
    for (const [id, content, before, after] of [
      ['sandbox-needs_info', { text: 'Six feet.' }, 'INPUT_REQUIRED', 'WORKING'],
      ['sandbox', { data: { accept: SAMPLE_OFFER_ID } }, 'INPUT_REQUIRED', 'WORKING'],
      ['sandbox-quoted', { data: { decline: SAMPLE_OFFER_ID } }, 'INPUT_REQUIRED', 'WORKING'],
      ['sandbox-acknowledged', { data: { withdraw: true } }, 'WORKING', 'CANCELED'],
    ] as const) {
      const task = await getTask(id);
      expect([task.id, TaskState[task.status!.state]]).toEqual([id, `TASK_STATE_${before}`]);
      expect(receiptOf(task)).toMatchObject({ receiptToken: id, sandbox: true });
      const reply = taskOf(await client.sendMessage(message(content, { taskId: id })));
      expect([reply.id, TaskState[reply.status!.state]]).toEqual([id, `TASK_STATE_${after}`]);
      expect(reply.history.length).toBe(task.history.length + 1);
      expect(await getTask(id)).toEqual(task);
    }
    const cancel = (id: string) => client.cancelTask({ id, tenant: '', metadata: undefined });
    expect((await cancel('sandbox-needs_info')).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(cancel('sandbox-confirmed')).rejects.toThrow(
      /completed and was not canceled, because its request is confirmed\..*withdraw/,
    );
    await expect(cancel('sandbox-declined')).rejects.toThrow(/ended/);
    await expect(
      client.sendMessage(message({ data: { accept: 'x' } }, { taskId: 'sandbox-needs_info' })),
    ).rejects.toThrow();
    await expect(getTask('sandbox-unknown')).rejects.toThrow(/a sample in that state: new,/);
    expect([(await listStoredTasks()).length, (await rows('leads')).length]).toEqual(countsBefore);
  });

  it('list every missing field, and create the lead when a message to the same task supplies the fields', async () => {
    const leadCount = (await rows('leads')).length;
    const waiting = taskOf(await client.sendMessage(message({ data: incompleteRequest })));
    const required = Object.entries(action.fields).flatMap(([name, field]) =>
      field.required ? [`/fields/${name}`] : [],
    );
    expect(
      dataIn(waiting.status?.message?.parts).errors.map((error: any) => error.pointer),
    ).toEqual(required);
    for (const pointer of required)
      expect(JSON.stringify(waiting.status?.message)).toContain(`${pointer}: `);
    expect((await rows('leads')).length).toBe(leadCount);
    const created = taskOf(
      await client.sendMessage(message({ data: validRequest }, { taskId: waiting.id })),
    );
    expect([created.id, created.contextId, created.status?.state]).toEqual([
      waiting.id,
      waiting.contextId,
      TaskState.TASK_STATE_WORKING,
    ]);
    expect((await rows('leads')).length).toBe(leadCount + 1);
    expect(
      receiptOf(await client.getTask({ tenant: '', id: waiting.id, historyLength: undefined })),
    ).toEqual(receiptOf(created));
  });

  it('keep waiting after a text message, and can be canceled once', async () => {
    const { id } = taskOf(await client.sendMessage(message({ data: incompleteRequest })));
    expect(
      taskOf(await client.sendMessage(message({ text: 'Is this enough?' }, { taskId: id }))).status
        ?.state,
    ).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect((await client.cancelTask({ tenant: '', id, metadata: undefined })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    expect((await client.cancelTask({ tenant: '', id, metadata: undefined })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    await expect(
      client.sendMessage(message({ data: validRequest }, { taskId: id })),
    ).rejects.toThrow('This task has ended.');
  });

  it('do not change after completion', async () => {
    const task = taskOf(await client.sendMessage(message({ data: validRequest })));
    const { id } = task;
    const { receiptToken } = receiptOf(task);
    await changeLead({ receiptToken, to: 'declined', actor: 'provider' }, context);
    await expect(client.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toThrow(
      'cannot be canceled',
    );
    await expect(client.sendMessage(message({ text: 'Hello' }, { taskId: id }))).rejects.toThrow(
      /accepts no more replies/,
    );
  });

  it('create one lead from a repeated message, with or without a key', async () => {
    const leadCount = (await rows('leads')).length;
    const request = message({ data: validRequest });
    const receipts = await Promise.all(
      Array.from({ length: 4 }, async () =>
        receiptOf(taskOf(await client.sendMessage(structuredClone(request)))),
      ),
    );
    expect(new Set(receipts.map(({ receiptToken }) => receiptToken)).size).toBe(1);
    const keyedRequest = { ...validRequest, idempotencyKey: `same-key-over-${binding}` };
    const more = await Promise.all(
      Array.from({ length: 4 }, async () =>
        receiptOf(taskOf(await client.sendMessage(message({ data: keyedRequest })))),
      ),
    );
    expect(new Set(more.map(({ receiptToken }) => receiptToken)).size).toBe(1);
    expect((await rows('leads')).length).toBe(leadCount + 2);
  });

  it('create two leads from two messages with the same ID but different contexts', async () => {
    const firstTask = taskOf(
      await client.sendMessage(message({ data: validRequest }, { messageId: '1' })),
    );
    const other = taskOf(
      await client.sendMessage(
        message(
          { data: { ...validRequest, contact: { email: 'lee@example.com' } } },
          { messageId: '1' },
        ),
      ),
    );
    expect(receiptOf(firstTask).receiptToken).not.toBe(receiptOf(other).receiptToken);
  });

  it('create two leads from identical messages with the same short ID from two addresses', async () => {
    const other = await createBindingClient(
      context,
      binding,
      createEndpoint(context, undefined, '192.0.2.8'),
    );
    const tokensOf = (messageId: string) =>
      Promise.all(
        [client, client, other].map(async (sender) => {
          const sent = await sender.sendMessage(message({ data: validRequest }, { messageId }));
          return receiptOf(taskOf(sent)).receiptToken;
        }),
      );
    const [first, repeated, stranger] = await tokensOf('msg-2');
    expect(repeated).toBe(first);
    expect(stranger).not.toBe(first);
    expect(new Set(await tokensOf(crypto.randomUUID())).size).toBe(1);
  });

  it('answer a repeated follow-up with the same task, even if both arrive together', async () => {
    const leadCount = (await rows('leads')).length;
    const { id } = taskOf(await client.sendMessage(message({ data: incompleteRequest })));
    const request = message({ data: validRequest }, { taskId: id });
    const tasks = await Promise.all(
      Array.from({ length: 4 }, async () =>
        taskOf(await client.sendMessage(structuredClone(request))),
      ),
    );
    tasks.push(taskOf(await client.sendMessage(request)));
    expect(
      new Set(
        tasks.map((task) => `${task.id} ${task.status?.state} ${receiptOf(task).receiptToken}`),
      ).size,
    ).toBe(1);
    expect((await rows('leads')).length).toBe(leadCount + 1);
  });

  it('reject a key from another request, and keep waiting', async () => {
    const idempotencyKey = `taken-key-over-${binding}`;
    await client.sendMessage(message({ data: { ...validRequest, idempotencyKey } }));
    const countsBefore = [await rows('leads'), await listStoredTasks()].map(({ length }) => length);
    const other = { data: { ...validRequest, contact: {}, idempotencyKey } };
    await expect(client.sendMessage(message(other))).rejects.toThrow('another input');
    expect([await rows('leads'), await listStoredTasks()].map(({ length }) => length)).toEqual(
      countsBefore,
    );
    const { id: taskId } = taskOf(await client.sendMessage(message({ data: incompleteRequest })));
    const task = taskOf(await client.sendMessage(message(other, { taskId })));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(dataIn(task.status?.message?.parts).code).toBe('idempotency_mismatch');
  });

  it('reject a message ID that another request already used as its key', async () => {
    const messageId = crypto.randomUUID();
    const firstTask = taskOf(
      await client.sendMessage(message({ data: validRequest }, { messageId })),
    );
    const other = { data: { ...validRequest, contact: { email: 'lee@example.com' } } };
    await expect(client.sendMessage(message(other, { messageId }))).rejects.toThrow(
      'another input',
    );
    const otherProcess = taskOf(
      await client.sendMessage(message({ data: validRequest }, { messageId })),
    );
    expect(receiptOf(otherProcess).receiptToken).toBe(receiptOf(firstTask).receiptToken);
  });

  it('report an invalid key together with the field errors', async () => {
    const task = taskOf(
      await client.sendMessage(
        message({ data: { ...incompleteRequest, idempotencyKey: 'two words are not a key' } }),
      ),
    );
    expect(dataIn(task.status?.message?.parts).errors[0].pointer).toBe('/idempotencyKey');
    expect(dataIn(task.status?.message?.parts).errors.length).toBeGreaterThan(1);
  });

  it.each(['a message', crypto.randomUUID()])(
    'are created once for a repeated message, concurrently and later, with the ID %s',
    async (name) => {
      const messageId = `${name} by ${binding}`;
      const countsBefore = [await rows('leads'), await listStoredTasks()].map(
        ({ length }) => length,
      );
      const send = () => client.sendMessage(message({ data: validRequest }, { messageId }));
      const tasks = (await Promise.all([send(), send(), send()])).map(taskOf);
      tasks.push(taskOf(await send()));
      expect(new Set(tasks.map(({ id, contextId }) => `${id} ${contextId}`)).size).toBe(1);
      expect(new Set(tasks.map((task) => receiptOf(task).receiptToken)).size).toBe(1);
      expect([await rows('leads'), await listStoredTasks()].map(({ length }) => length)).toEqual(
        countsBefore.map((count) => count + 1),
      );
    },
  );

  it('store nothing in the sandbox', async () => {
    const countRows = async () =>
      (
        await Promise.all(
          (['leads', 'a2a_tasks', 'budget_uses'] as const).map((table) => rows(table)),
        )
      ).map(({ length }) => length);
    const counts = await countRows();
    const { id, contextId } = taskOf(
      await client.sendMessage(message({ data: { ...validRequest, sandbox: true } })),
    );
    expect(await countRows()).toEqual(counts);
    const missing = /the task of a sandbox request is not stored/;
    await expect(getTask(id)).rejects.toThrow(missing);
    await expect(client.cancelTask({ id, tenant: '', metadata: undefined })).rejects.toThrow(
      missing,
    );
    const waiting = taskOf(
      await client.sendMessage(message({ data: { ...validRequest, fields: {}, sandbox: true } })),
    );
    await client.sendMessage(
      message({ data: { ...validRequest, sandbox: true } }, { taskId: waiting.id }),
    );
    await expect(getTask(waiting.id)).rejects.toThrow(missing);
    const { tasks } = await client.listTasks({
      tenant: '',
      contextId,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageSize: undefined,
      pageToken: '',
      historyLength: undefined,
      statusTimestampAfter: undefined,
      includeArtifacts: undefined,
    });
    expect(tasks).toEqual([]);
  });

  it('create a plain lead when the data has an email address but no action', async () => {
    const task = taskOf(
      await client.sendMessage(
        message({ data: { email: 'dana@example.com', source: subsite.leadSource } }),
      ),
    );
    expect(receiptOf(task)).toMatchObject({ subsite: subsite.name, action: null });
  });

  it('contain no personal data, in storage or in answers', async () => {
    const waiting = taskOf(
      await client.sendMessage(
        message(
          { data: { ...incompleteRequest, contact } },
          { metadata: { note: 'Unmistakable' } },
        ),
      ),
    );
    const created = taskOf(
      await client.sendMessage(message({ data: validRequest }, { taskId: waiting.id })),
    );
    const read = await client.getTask({ tenant: '', id: created.id, historyLength: undefined });
    const storedText = JSON.stringify([await listStoredTasks(), waiting, created, read]);
    for (const word of ['Unmistakable', 'unmistakable', '7275550142'])
      expect(storedText).not.toContain(word);
    expect(read.history.length).toBe(1);
  });

  it('store only their state while their message is invalid', async () => {
    const { id, contextId } = taskOf(
      await client.sendMessage(message({ data: { ...incompleteRequest, contact } })),
    );
    for (const text of ['Is this enough?', 'And this?'])
      await client.sendMessage(message({ text }, { taskId: id }));
    const row = (await listStoredTasks()).find((task) => task.id === id)!;
    expect(JSON.parse(row.task)).toEqual({
      id,
      contextId,
      status: { state: 'TASK_STATE_INPUT_REQUIRED', timestamp: expect.any(String) },
    });
    expect(row.lead).toBe(null);
    expect(JSON.stringify((await getTask(id)).status?.message)).toContain(
      'waiting for its data part',
    );
  });

  it('cannot be read without their ID', async () => {
    const { id, contextId } = taskOf(await client.sendMessage(message({ data: validRequest })));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const other = await createBindingClient(context, binding);
    await expect(
      other.getTask({ tenant: '', id: `${id.slice(0, -1)}x`, historyLength: undefined }),
    ).rejects.toThrow('There is no task with this ID');
    await expect(
      other.cancelTask({ tenant: '', id: contextId, metadata: undefined }),
    ).rejects.toThrow('There is no task with this ID');
    await expect(
      other.sendMessage(message({ data: validRequest }, { taskId: contextId })),
    ).rejects.toThrow('There is no task with this ID');
  });

  it('can be read, completed and canceled after a restart by another process on the same database', async () => {
    const created = taskOf(await client.sendMessage(message({ data: validRequest })));
    const waiting = taskOf(await client.sendMessage(message({ data: incompleteRequest })));
    const database = await openDatabase({ url: fixture.url, usesThread: false });
    const otherProcess = { ...context, database };
    const otherClient = await createBindingClient(
      otherProcess,
      binding,
      createEndpoint(otherProcess),
    );
    expect(
      await otherClient.getTask({ tenant: '', id: created.id, historyLength: undefined }),
    ).toEqual(await client.getTask({ tenant: '', id: created.id, historyLength: undefined }));
    expect(
      taskOf(await otherClient.sendMessage(message({ data: validRequest }, { taskId: waiting.id })))
        .status?.state,
    ).toBe(TaskState.TASK_STATE_WORKING);
    await database.close();
  });

  it('are removed when the lead that they created is erased', async () => {
    const task = taskOf(await client.sendMessage(message({ data: validRequest })));
    await eraseLead(receiptOf(task).receiptToken, 'system', context);
    await expect(
      client.getTask({ tenant: '', id: task.id, historyLength: undefined }),
    ).rejects.toThrow('There is no task with this ID');
  });

  it('are deleted 30 days after their last change, or with the lead that they created', async () => {
    const { id } = taskOf(await client.sendMessage(message({ data: incompleteRequest })));
    const created = taskOf(await client.sendMessage(message({ data: validRequest })));
    const read = (task: string) =>
      client.getTask({ tenant: '', id: task, historyLength: undefined });
    fixture.advanceHours(24 * 30 + 1);
    await eraseOldResults(context);
    await expect(read(id)).rejects.toThrow('There is no task with this ID');
    expect((await listStoredTasks()).every(({ lead }) => lead !== null)).toBe(true);
    expect((await read(created.id)).id).toBe(created.id);
    fixture.advanceHours(24 * 3650);
    await purgeLeads(context);
    expect(await listStoredTasks()).toEqual([]);
    await expect(read(created.id)).rejects.toThrow('There is no task with this ID');
  });
});
