import { type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { describe, expect, it, vi } from 'vitest';
import { changeLead } from '../../src/leads/change-lead.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { leadChanges } from '../../src/leads/status/follow-lead.ts';
import { waitListOf } from '../../src/operation/waits.ts';
import { makeOffer, site } from '../conversation/leads-in-states.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import {
  bindings,
  createBindingClient,
  dataIn,
  createEndpoint,
  message,
  receiptOf,
  taskOf,
} from './setup/endpoint.ts';

const [subsite] = site.registry.subsites;
const leadData = { email: 'dana@example.com', source: subsite!.leadSource };

/** State of the task in an event. */
const stateIn = ({ payload }: StreamResponse): TaskState | undefined =>
  payload?.$case === 'task' || payload?.$case === 'statusUpdate'
    ? payload.value.status?.state
    : undefined;
const { TASK_STATE_WORKING, TASK_STATE_INPUT_REQUIRED, TASK_STATE_COMPLETED } = TaskState;

describe.each(bindings)('the stream of a task over %s', async (binding) => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const client = await createBindingClient(context, binding);
  const submitLead = async () => taskOf(await client.sendMessage(message({ data: leadData })));
  const leadOf = (task: Task): string => receiptOf(task).receiptToken;
  const changeStatus = (lead: string, to: 'acknowledged' | 'needs_info' | 'confirmed') =>
    changeLead({ receiptToken: lead, to, actor: 'provider', note: `Now ${to}.` }, context);

  it('reports each change until the task ends, no matter who makes the change', async () => {
    const task = await submitLead();
    const lead = leadOf(task);
    const events = client.resubscribeTask({ tenant: '', id: task.id });
    const next = async () => (await events.next()).value as StreamResponse;
    expect((await next()).payload).toEqual({ $case: 'task', value: task });
    await changeStatus(lead, 'needs_info');
    const questionEvent = await next();
    expect([questionEvent.payload?.$case, stateIn(questionEvent)]).toEqual([
      'statusUpdate',
      TASK_STATE_INPUT_REQUIRED,
    ]);
    await client.sendMessage(message({ text: 'Six feet.' }, { taskId: task.id }));
    expect(stateIn(await next())).toBe(TASK_STATE_WORKING);
    const offerId = await makeOffer(fixture, lead);
    const offered = await next();
    const { payload } = offered;
    expect(
      payload?.$case === 'statusUpdate' && dataIn(payload.value.status?.message?.parts).offer,
    ).toMatchObject({ offerId });
    await changeStatus(lead, 'confirmed');
    expect(stateIn(await next())).toBe(TASK_STATE_COMPLETED);
    expect((await events.next()).done).toBe(true);
    await expect(client.resubscribeTask({ tenant: '', id: task.id }).next()).rejects.toThrow(
      'This task has ended, so there are no more events.',
    );
  });

  it('starts with the new task for a request, and contains only a message for a question', async () => {
    const events = client.sendMessageStream(message({ data: leadData }));
    const { value } = await events.next();
    const task = (value as StreamResponse).payload!.value as Task;
    expect(task.status?.state).toBe(TASK_STATE_WORKING);
    await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
    expect(stateIn((await events.next()).value as StreamResponse)).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    expect((await events.next()).done).toBe(true);
    const answers: unknown[] = [];
    for await (const event of client.sendMessageStream(message({ text: subsite!.title })))
      answers.push(event.payload?.$case);
    expect(answers).toEqual(['message']);
    const sandboxStates: unknown[] = [];
    for await (const event of client.sendMessageStream(
      message({ data: { ...leadData, sandbox: true } }),
    ))
      sandboxStates.push(stateIn(event));
    expect(sandboxStates).toEqual([TASK_STATE_COMPLETED]);
  });

  it('ends without a message when the lead is erased', async () => {
    const task = await submitLead();
    const events = client.resubscribeTask({ tenant: '', id: task.id });
    await events.next();
    await eraseLead(leadOf(task), 'person', context);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('is refused when too many streams are open, and frees its slot when the client disconnects', async () => {
    const task = await submitLead();
    const endpoint = createEndpoint(context);
    const subscribe = () =>
      binding === 'JSONRPC'
        ? endpoint(`${site.base}/a2a/v1`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              method: 'SubscribeToTask',
              params: { id: task.id },
            }),
          })
        : endpoint(`${site.base}/a2a/v1/tasks/${task.id}:subscribe`);
    /** True if another caller from this address gets a stream. */
    const isSlotFree = () => {
      const slot = waitListOf(context.database).enter(leadChanges, leadOf(task), {
        address: '192.0.2.7',
      });
      slot?.leave();
      return slot !== undefined;
    };
    expect(isSlotFree()).toBe(true);
    const open = await Promise.all(Array.from({ length: 4 }, subscribe));
    await vi.waitUntil(() => !isSlotFree());
    expect((await (await subscribe()).text()).match(/^data: /gm)).toHaveLength(1);
    for (const { body } of open) await body!.cancel();
    await vi.waitUntil(isSlotFree);
  });
});

it('streams end when the service stops', async () => {
  const { context } = await openFixture(site);
  const client = await createBindingClient(context, 'JSONRPC', createEndpoint(context));
  const task = taskOf(await client.sendMessage(message({ data: leadData })));
  const events = client.resubscribeTask({ tenant: '', id: task.id });
  await events.next();
  const end = events.next();
  waitListOf(context.database).close();
  expect((await end).done).toBe(true);
});
