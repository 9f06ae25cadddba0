import { TaskState } from '@a2a-js/sdk';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isEnded, leadStatuses } from '../../src/leads/lead-states.ts';
import { createLeadInState, site } from '../conversation/leads-in-states.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { client as transportOf } from '../transports/setup/send.ts';
import { bindings, createBindingClient, message, taskOf } from './setup/endpoint.ts';

const ENDED_REQUEST_TEXT = 'A request that is declined, withdrawn or expired can only be erased';
const CONFIRMED_REQUEST_TEXT = 'A confirmed request can still be changed or withdrawn';

describe.each(bindings)('a task over %s that has ended', async (binding) => {
  const fixture = await openFixture(site);
  const client = await createBindingClient(fixture.context, binding);
  const { send } = transportOf(fixture);
  const messageOf = (call: Promise<unknown>) =>
    call.then(
      () => 'no error',
      (error: unknown) => String(error),
    );
  const textIn = (task: ReturnType<typeof taskOf>) =>
    task.status?.message?.parts
      .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
      .join('');
  const read = (id: string) => client.getTask({ tenant: '', id, historyLength: undefined });
  const cancel = (id: string) => client.cancelTask({ tenant: '', id, metadata: undefined });

  it.each(leadStatuses.filter((status) => isEnded(status) && status !== 'erased'))(
    'gets the same explanation everywhere if its request is %s',
    async (status) => {
      const { lead } = await createLeadInState(fixture, status);
      expect(textIn(taskOf(await read(lead)))).toContain(ENDED_REQUEST_TEXT);
      const reply = client.sendMessage(message({ text: 'Hello' }, { taskId: lead }));
      expect(await messageOf(reply)).toContain(ENDED_REQUEST_TEXT);
      if (status !== 'withdrawn')
        expect(await messageOf(cancel(lead))).toContain(ENDED_REQUEST_TEXT);
      const response = await send('/api/lead/{receipt}/messages', {
        params: { receipt: lead },
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'Hello' }),
      });
      expect(((await response.json()) as { detail: string }).detail).toContain(ENDED_REQUEST_TEXT);
    },
  );

  it('lists the messages that a confirmed request accepts, and accepts them', async () => {
    const { lead } = await createLeadInState(fixture, 'confirmed');
    expect(textIn(taskOf(await read(lead)))).toContain(CONFIRMED_REQUEST_TEXT);
    const refusals = [
      await messageOf(cancel(lead)),
      await messageOf(client.resubscribeTask({ tenant: '', id: lead }).next()),
    ];
    for (const refusal of refusals) {
      expect(refusal).toContain(CONFIRMED_REQUEST_TEXT);
      expect(refusal).toContain('Text cannot change the days of a held item');
    }
    const [text, withdrawal] = refusals[0]!.match(/\{[^}]*\}/g)!.map((json) => JSON.parse(json));
    const send = async (data: unknown) =>
      taskOf(await client.sendMessage(message({ data }, { taskId: lead }))).status?.state;
    expect(await send(text)).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(await send(withdrawal)).toBe(TaskState.TASK_STATE_CANCELED);
  });
});

it('is described in the guide for agents', () => {
  expect(readFileSync('registry/pages/services/agent.md', 'utf8')).toMatch(
    /### After a task has ended[^#]+\| confirmed \|[^#]+\| declined, withdrawn or expired \|/,
  );
});
