import { type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import type { Client as ModernClient } from '@modelcontextprotocol/client';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outbox } from '../../db/schema.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { bindings, dataIn, message, receiptOf, taskOf } from '../a2a/setup/endpoint.ts';
import { type AnyClient, clients } from '../mcp/setup/clients.ts';
import { serveNetwork } from '../mcp/setup/serve-network.ts';
import { listActions } from '../operations/setup/actions.ts';

describe.each(bindings)('a conversation over A2A (%s) and MCP', (binding) => {
  let served: Awaited<ReturnType<typeof serveNetwork>>;
  let agent: Client;
  let toolClients: ModernClient[];

  beforeAll(async () => {
    served = await serveNetwork('mainBuild');
    /** The agent card has the deployed URL, so requests are redirected to the test server. */
    const fetchFromTestServer: typeof fetch = (input, init) =>
      fetch(String(input).replace(served.site.base, served.origin), init);
    const transport =
      binding === 'JSONRPC'
        ? new JsonRpcTransportFactory({ fetchImpl: fetchFromTestServer })
        : new RestTransportFactory({ fetchImpl: fetchFromTestServer });
    agent = await new ClientFactory({
      transports: [transport],
      preferredTransports: [binding],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: fetchFromTestServer }),
    }).createFromUrl(served.site.base);
    toolClients = [];
    for (const connect of Object.values(clients))
      toolClients.push(
        (await connect(new URL(`${served.origin}/api/mcp`))) as AnyClient as ModernClient,
      );
    // A client that has listed the tools validates results against their output schemas.
    for (const client of toolClients) await client.listTools();
  });
  afterAll(async () => {
    for (const client of toolClients) await client.close();
    await served.stop();
  });

  const readTask = (id: string) => agent.getTask({ tenant: '', id, historyLength: undefined });
  const readStatusContent = ({ status }: Task) => {
    const parts = status?.message?.parts ?? [];
    const text = parts.find(({ content }) => content?.$case === 'text')?.content?.value as string;
    return { text, ...dataIn(parts) };
  };
  async function callTool(client: ModernClient, name: string, args: object): Promise<any> {
    const { isError, structuredContent } = await client.callTool({ name, arguments: { ...args } });
    expect(isError).toBeUndefined();
    return structuredContent;
  }
  /** Answers as the provider, through a link in the newest message about the lead. */
  async function answerAsProvider(lead: string, answerName: string, body: object): Promise<void> {
    const { context } = served;
    const [newest] = await context.database.writer
      .select({ id: outbox.id })
      .from(outbox)
      .where(eq(outbox.lead, lead))
      .orderBy(sql`rowid desc`)
      .limit(1);
    const { links } = (await readLeadEvent(newest!.id, context))!;
    const link = links[answerName as keyof typeof links]!.replace(served.site.base, served.origin);
    const response = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([answerName, response.status]).toEqual([answerName, 200]);
  }
  const countRows = async (table: string) => {
    const [row] = await served.context.database.writer.all<{ count: number }>(
      sql`select count(*) as count from ${sql.identifier(table)}`,
    );
    return row!.count;
  };

  it('uses one lead, one thread and one task from the request to the confirmation', async () => {
    const [{ subsite, action }] = listActions(served.site).filter(
      ({ action: { effect } }) => !effect,
    ) as [ReturnType<typeof listActions>[number]];
    const data = {
      subsite: subsite.name,
      action: action.verb,
      fields: exampleValuesOf(action.fields),
      contact: { name: 'Dana Reyes', email: 'dana@example.com' },
    };
    const { id, contextId, ...submitted } = taskOf(await agent.sendMessage(message({ data })));
    expect(submitted.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    const { receiptToken } = receiptOf({ id, contextId, ...submitted });

    const events = agent.resubscribeTask({ tenant: '', id });
    expect((await events.next()).value?.payload?.$case).toBe('task');
    await answerAsProvider(receiptToken, 'ask', { text: 'How wide is the gate?' });
    const { payload: eventPayload } = (await events.next()).value as StreamResponse;
    const waitingTask = await readTask(id);
    expect(eventPayload?.$case === 'statusUpdate' && eventPayload.value.status).toEqual(
      waitingTask.status,
    );
    expect(waitingTask.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(readStatusContent(waitingTask).text).toContain('How wide is the gate?');

    const reply = message({ text: 'Six feet.' }, { taskId: id, contextId });
    const resumedTask = taskOf(await agent.sendMessage(structuredClone(reply)));
    expect(resumedTask.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    // The agent missed the response and resends the same message.
    await agent.sendMessage(reply);

    await answerAsProvider(receiptToken, 'offer', {
      amount: '450',
      currency: 'USD',
      expires: '48h',
      text: 'For Tuesday morning.',
    });
    const { offer } = readStatusContent(await readTask(id));
    for (const client of toolClients)
      expect(await callTool(client, 'get_lead_status', { receiptToken })).toMatchObject({
        status: 'quoted',
        offer,
        next: expect.arrayContaining(['accept']),
      });
    const accept = { receiptToken, accept: offer.offerId, idempotencyKey: crypto.randomUUID() };
    for (const client of toolClients)
      expect(await callTool(client, 'reply_to_request', accept)).toMatchObject({
        status: 'accepted',
      });
    expect((await readTask(id)).status?.state).toBe(TaskState.TASK_STATE_WORKING);
    await expect(
      agent.sendMessage(message({ data: { decline: offer.offerId } }, { taskId: id })),
    ).rejects.toThrow(/no longer open.*Allowed actions: reply, withdraw, erase/);

    await answerAsProvider(receiptToken, 'confirm', { text: 'See you on Tuesday.' });
    const completedTask = await readTask(id);
    expect(completedTask.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(readStatusContent(completedTask).text).toMatch(
      /^The provider wrote:\n\| See you on Tuesday\.\n/,
    );

    const status = await callTool(toolClients[0]!, 'get_lead_status', { receiptToken });
    const thread: [author: string, content: unknown][] = [
      ['provider', 'How wide is the gate?'],
      ['person', 'Six feet.'],
      ['provider', 'For Tuesday morning.'],
      ['provider', 'See you on Tuesday.'],
    ];
    expect(status.status).toBe('confirmed');
    expect(status.messages.map(({ from, text }: any) => [from, text])).toEqual(thread);
    expect(
      completedTask.history
        .slice(1)
        .map(({ metadata, parts }) => [metadata?.['from'], parts[0]?.content?.value]),
    ).toEqual(thread.toSpliced(3, 0, ['person', { accept: offer.offerId }]));
    expect((await fetch(`${served.origin}/api/lead/${receiptToken}`)).status).toBe(200);
    expect([
      await countRows('leads'),
      await countRows('a2a_tasks'),
      await countRows('offers'),
    ]).toEqual([1, 1, 1]);
    // One entry and one provider event for each of: request, question, reply, offer, acceptance,
    // confirmation.
    expect([await countRows('lead_history'), await countRows('outbox')]).toEqual([6, 6]);
  });

  it('ends when the agent cancels the task, and erasing the lead removes the task', async () => {
    const [{ subsite }] = listActions(served.site) as [ReturnType<typeof listActions>[number]];
    const data = { email: 'lee@example.com', source: subsite.leadSource };
    const task = taskOf(await agent.sendMessage(message({ data })));
    const { receiptToken } = receiptOf(task);
    const canceled = await agent.cancelTask({ tenant: '', id: task.id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    const status = await callTool(toolClients[0]!, 'get_lead_status', { receiptToken });
    expect([status.status, status.next]).toEqual(['withdrawn', ['erase']]);
    await fetch(`${served.origin}/api/lead/${receiptToken}`, { method: 'DELETE' });
    await expect(readTask(task.id)).rejects.toThrow('There is no task with this ID');
    const listed = await agent.listTasks({
      tenant: '',
      contextId: task.contextId,
      status: 0,
      pageSize: 50,
      pageToken: '',
      historyLength: undefined,
      statusTimestampAfter: undefined,
      includeArtifacts: true,
    });
    expect(listed.tasks).toEqual([]);
  });
});
