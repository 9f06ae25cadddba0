import type { ApplicationInputHandler } from '@modelcontextprotocol/ext-tasks/client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { toProblem } from '../../src/http/faults.ts';
import type { LeadStatus } from '../../src/leads/lead-states.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { listUnansweredMessages } from '../../src/leads/status/unanswered-messages.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { createMcpHandler } from '../../src/mcp/index.ts';
import { createLeadTasks } from '../../src/mcp/lead-tasks.ts';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { advanceTasks } from '../../src/capabilities/advance-tasks.ts';
import { input, setUpPricedFixture, video } from '../capabilities/priced-fixture.ts';
import { makeKey, makeFixture, site, type Fixture } from '../capabilities/fixture.ts';
import { createLeadInState } from '../conversation/leads-in-states.ts';
import { listen } from '../mcp/setup/listen.ts';
import { openTaskSession } from '../mcp/setup/task-session.ts';
import { readStructuredAnswer } from '../mcp/setup/tool-result.ts';
import { VIDEO_RESULT } from '../providers/http-provider.ts';

type Handler = ApplicationInputHandler['handle'];

const subsite = site.registry.subsites.find(({ actions }) =>
  actions.some(({ effect }) => !effect),
)!;
const action = subsite.actions.find(({ effect }) => !effect)!;
const request = {
  subsite: subsite.name,
  action: action.verb,
  fields: exampleValuesOf(action.fields),
  contact: { name: 'Dana Reyes', email: 'dana@example.com' },
};

/**
 * Serves an endpoint of a fixture on a local port, and keeps serving after the fixture is reopened.
 */
async function serveEndpoint(fixture: Fixture, path: string) {
  let context = fixture.context;
  const createHandler = () =>
    createMcpHandler(path, {
      context: fixture.context,
      toProblem: (thrown) => toProblem(thrown, fixture.context),
    });
  let handler = createHandler();
  const server = await listen((sent) => {
    if (fixture.context !== context) {
      context = fixture.context;
      handler = createHandler();
    }
    return handler(sent, { address: '192.0.2.7', checkRateLimit: async () => ({ headers: {} }) });
  });
  onTestFinished(() => server.stop());
  return async (onInputRequest?: Handler, headers?: Record<string, string>) => {
    const connection = await openTaskSession(new URL(server.origin), onInputRequest, headers);
    onTestFinished(async () => {
      await connection.session.close();
      await connection.client.close();
    });
    return connection;
  };
}

/** A promise that tests resolve when the client shows a form. */
function createQuestion() {
  const shown = Promise.withResolvers<Record<string, any>>();
  const answered = Promise.withResolvers<Awaited<ReturnType<Handler>>>();
  return { shown, answered };
}

describe('lead tasks', () => {
  let fixture: Fixture;
  beforeEach(async () => void (fixture = await makeFixture()));
  afterEach(() => fixture.close());

  const actAsProvider = (lead: string, action: ProviderAction, body: object = {}) =>
    sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, body, fixture.context);
  const offer = { amount: '450', currency: 'USD', expires: '48h', description: 'A whole day.' };

  it('go from the request through a question, a restart, an offer, and its acceptance to the confirmation', async () => {
    const connect = await serveEndpoint(fixture, '/api/mcp');
    const rounds = [createQuestion(), createQuestion()];
    let round = 0;
    const { session } = await connect((async ({ params }) => {
      const { shown, answered } = rounds[round++]!;
      shown.resolve(params as Record<string, any>);
      return answered.promise;
    }) as Handler);
    const execution = await session.callTool('submit_action', request);
    expect(execution.kind).toBe('task');
    const lead = execution.handle!.taskId;
    const settledExecution = execution.settle();

    await actAsProvider(lead, 'ask', { text: 'How wide is the gate?' });
    expect(await rounds[0]!.shown.promise).toMatchObject({
      message: 'The provider wrote:\n| How wide is the gate?',
      requestedSchema: { required: ['text'], properties: { text: { type: 'string' } } },
    });
    await fixture.reopen();
    rounds[0]!.answered.resolve({ action: 'accept', content: { text: 'Six feet.' } });
    await expect
      .poll(async () => (await session.task(execution.handle!.taskId).snapshot()).status)
      .toBe('working');

    await actAsProvider(lead, 'offer', { ...offer, text: 'Somebody must be home.' });
    const { message, requestedSchema } = await rounds[1]!.shown.promise;
    expect(message).toMatch(
      /^The provider wrote:\n\| Somebody must be home\.\nOffer: 450\.00 USD\. It can be accepted until \S+\.\nIt includes:\n\| A whole day\.$/,
    );
    expect(requestedSchema.properties.decision.enum).toEqual(['accept', 'decline']);
    rounds[1]!.answered.resolve({
      action: 'accept',
      content: { decision: 'accept', text: 'Tuesday is fine.' },
    });
    await expect
      .poll(async () => (await session.task(execution.handle!.taskId).snapshot()).statusMessage)
      .toContain('You accepted the offer.');
    await actAsProvider(lead, 'confirm', { text: 'See you on Tuesday.' });

    const { outcome } = await settledExecution;
    expect(outcome.status).toBe('completed');
    const { messages, status, receiptToken } = (outcome as { result: any }).result
      .structuredContent;
    expect({ status, receiptToken }).toEqual({ status: 'confirmed', receiptToken: lead });
    expect(messages.map(({ from, text }: Record<string, string>) => [from, text])).toEqual([
      ['provider', 'How wide is the gate?'],
      ['person', 'Six feet.'],
      ['provider', 'Somebody must be home.'],
      ['person', 'Tuesday is fine.'],
      ['provider', 'See you on Tuesday.'],
    ]);
  });

  it('are withdrawn when canceled, and keep their final state', async () => {
    const { session } = await (await serveEndpoint(fixture, '/api/mcp'))();
    const execution = await session.callTool('capture_lead', {
      email: 'dana@example.com',
      source: subsite.leadSource,
    });
    await execution.cancel();
    expect((await execution.settle()).outcome.status).toBe('cancelled');
    await session.cancelTask(execution.handle!.taskId);

    const { lead } = await createLeadInState(fixture, 'confirmed');
    const task = session.task(lead as never);
    await task.cancel();
    expect((await task.snapshot()).status).toBe('completed');
    const ack = await createLeadTasks(fixture.context).cancel(lead, { supportsForms: false });
    expect(ack).toMatch(/^This task had already ended, so nothing was changed\. .*"withdraw":true/);
    await actAsProvider(lead, 'decline', { text: 'The truck broke down.' });
    const { status, raw } = await task.snapshot();
    expect([status, (raw['result'] as any).structuredContent.status]).toEqual([
      'completed',
      'declined',
    ]);
  });

  it('have a state for each state of a lead', async () => {
    const { session } = await (
      await serveEndpoint(fixture, '/api/mcp')
    )(async () => {
      throw new Error('Nobody is available.');
    });
    const states: Partial<Record<LeadStatus, string>> = {};
    for (const status of [
      'new',
      'acknowledged',
      'needs_info',
      'quoted',
      'accepted',
      'confirmed',
      'declined',
      'withdrawn',
      'expired',
    ] as const) {
      const { lead } = await createLeadInState(fixture, status);
      states[status] = (await session.task(lead as never).snapshot()).status;
    }
    expect(states).toEqual({
      new: 'working',
      acknowledged: 'working',
      needs_info: 'input_required',
      quoted: 'input_required',
      accepted: 'working',
      confirmed: 'completed',
      declined: 'completed',
      withdrawn: 'cancelled',
      expired: 'completed',
    });
    const { lead } = await createLeadInState(fixture, 'quoted', {
      expiresAt: '2026-01-01T00:00:00.000Z',
    });
    expect((await session.task(lead as never).snapshot()).status).toBe('working');
  });

  it('are polled at most once a minute, as the guide says', async () => {
    const tasks = createLeadTasks(fixture.context);
    for (const status of ['new', 'quoted'] as const) {
      const { lead } = await createLeadInState(fixture, status);
      const { pollIntervalMs } = await tasks.get(lead, { supportsForms: true });
      expect([status, pollIntervalMs]).toEqual([status, 60_000]);
    }
  });

  it('include the question as text for a client that shows no forms', async () => {
    const { session } = await (await serveEndpoint(fixture, '/api/mcp'))();
    const { lead } = await createLeadInState(fixture, 'new');
    await actAsProvider(lead, 'ask', { text: 'How wide is the gate?' });
    const task = await session.task(lead as never).snapshot();
    expect(task.status).toBe('working');
    expect(task.statusMessage).toContain('How wide is the gate?');
    expect(task.statusMessage).toContain(`${site.base}/receipt/${lead}`);
    expect(task.statusMessage).toMatch(/ To call the provider: \(\d{3}\) \d{3}-\d{4}\. /);
  });

  it('show everything that the provider wrote since the person’s last step', async () => {
    const { session } = await (await serveEndpoint(fixture, '/api/mcp'))();
    const { lead } = await createLeadInState(fixture, 'new');
    const readStatusMessage = async () =>
      (await session.task(lead as never).snapshot()).statusMessage;
    const writtenTexts: string[] = [];
    for (const action of [
      'reply',
      'acknowledge',
      'offer',
      'reply',
      'confirm',
      'reply',
      'decline',
    ] as const) {
      const text = `Message ${writtenTexts.length + 1}, to ${action}.`;
      await actAsProvider(lead, action, { ...(action === 'offer' && offer), text });
      writtenTexts.push(text);
      for (const each of writtenTexts) expect(await readStatusMessage(), action).toContain(each);
    }
    expect(listUnansweredMessages((await readLog(lead, fixture.context)).entries)).toEqual(
      writtenTexts,
    );
  });

  it('show an open offer’s text even after the person wrote', async () => {
    const { session } = await (await serveEndpoint(fixture, '/api/mcp'))();
    const { lead } = await createLeadInState(fixture, 'new');
    await actAsProvider(lead, 'reply', { text: 'We have read it.' });
    await actAsProvider(lead, 'offer', { ...offer, text: 'Somebody must be home.' });
    await sendMessage.handle(
      sendMessage.parse({ receipt: lead, text: 'Is noon possible?' }, fixture.context),
      { channel: 'json' },
      fixture.context,
    );
    const { statusMessage } = await session.task(lead as never).snapshot();
    expect(statusMessage).toMatch(
      /^The provider wrote:\n\| Somebody must be home\.\nOffer: 450\.00 USD/,
    );
  });

  describe('with client answers', () => {
    const openSession = async () =>
      (await serveEndpoint(fixture, '/api/mcp'))(async () => {
        throw new Error('Nobody is available.');
      });
    const statusOf = async (lead: string) => (await readLog(lead, fixture.context)).status;

    it('accept an answer once, and ignore an answer to a closed question', async () => {
      const { session } = await openSession();
      const { lead } = await createLeadInState(fixture, 'new');
      await actAsProvider(lead, 'ask', { text: 'How wide is the gate?' });
      const task = session.task(lead as never);
      const [key] = Object.keys((await task.snapshot()).raw['inputRequests'] as object);
      const answer = { [key!]: { action: 'accept', content: { text: 'Six feet.' } } } as const;
      await task.update({ other: answer[key!]! });
      expect(await statusOf(lead)).toBe('needs_info');
      await Promise.all([task.update(answer), task.update(answer)]);
      await task.update(answer);
      const { raw } = await task.snapshot();
      expect(raw['status']).toBe('working');
      const { entries } = await readLog(lead, fixture.context);
      expect(entries.filter(({ note }) => note === 'Six feet.').length).toBe(1);
    });

    it.each(['decline', 'cancel'] as const)(
      'leave an offer open when the person closes the form: %s',
      async (closed) => {
        const { session } = await openSession();
        const { lead, offerId } = await createLeadInState(fixture, 'quoted');
        await session.task(lead as never).update({ [`offer-${offerId}`]: { action: closed } });
        expect(await statusOf(lead)).toBe('quoted');
      },
    );

    it('decline an offer with a note', async () => {
      const { session } = await openSession();
      const { lead, offerId } = await createLeadInState(fixture, 'quoted');
      const content = { decision: 'decline', text: 'Could you come on a weekday?' };
      await session
        .task(lead as never)
        .update({ [`offer-${offerId}`]: { action: 'accept', content } });
      expect(await statusOf(lead)).toBe('acknowledged');
    });

    it('explain what is wrong with an answer', async () => {
      const { session } = await openSession();
      const { lead, offerId } = await createLeadInState(fixture, 'quoted');
      const update = (content: Record<string, string>) =>
        session.task(lead as never).update({ [`offer-${offerId}`]: { action: 'accept', content } });
      const place = `/inputResponses/offer-${offerId}/content`;
      await expect(update({ text: 'Perhaps.' })).rejects.toMatchObject({
        code: -32602,
        data: { errors: [{ pointer: `${place}/decision`, allowed: ['accept', 'decline'] }] },
      });
      await expect(update({ decision: 'accept', text: 'x'.repeat(4_001) })).rejects.toMatchObject({
        code: -32602,
        data: { errors: [{ pointer: `${place}/text` }] },
      });
      expect(await statusOf(lead)).toBe('quoted');
    });

    it('cannot be found under another ID or after they have been erased', async () => {
      const { session } = await openSession();
      const { lead } = await createLeadInState(fixture, 'erased');
      for (const [id, code] of [
        [lead, 'gone'],
        ['nobody-has-this-receipt', 'unknown_receipt'],
      ] as const)
        for (const action of ['snapshot', 'cancel'] as const)
          await expect(session.task(id as never)[action]()).rejects.toMatchObject({
            code: -32602,
            data: { code },
          });
    });
  });

  it('end immediately in the sandbox', async () => {
    const { session } = await (await serveEndpoint(fixture, '/api/mcp'))();
    const execution = await session.callTool('submit_action', { ...request, sandbox: true });
    expect(execution.kind).toBe('immediate');
  });

  it('are not created for a client that does not declare the extension', async () => {
    const { client } = await (await serveEndpoint(fixture, '/api/mcp'))();
    const created = await client.callTool({ name: 'submit_action', arguments: request });
    expect(readStructuredAnswer(created)).toMatchObject({
      receiptToken: expect.any(String),
      status: 'new',
    });
  });
});

describe('capability tasks', () => {
  const pricedContext = setUpPricedFixture();
  const connectWithKey = async () => {
    const key = await makeKey(pricedContext.fixture, ['*'], '20.00');
    const connect = await serveEndpoint(pricedContext.fixture, '/api/v1/agent-mcp');
    return {
      connect,
      ...(await connect(undefined, { authorization: `Bearer ${key.secret}` })),
    };
  };
  const run = { capability: video.id, input, maxAmount: '20.00' };

  it('run to completion, and can be read only with their own key', async () => {
    const { session, connect } = await connectWithKey();
    const execution = await session.callTool('run_capability', run);
    expect(execution.kind).toBe('task');
    const { taskId } = execution.handle!;
    expect((await session.task(taskId).snapshot()).status).toBe('working');

    const otherKey = await makeKey(pricedContext.fixture);
    const otherConnection = await connect(undefined, {
      authorization: `Bearer ${otherKey.secret}`,
    });
    for (const action of ['snapshot', 'cancel'] as const)
      await expect(otherConnection.session.task(taskId)[action]()).rejects.toMatchObject({
        code: -32602,
        data: { code: 'not_found' },
      });

    await advanceTasks('worker', pricedContext.fixture.context);
    pricedContext.provider.jobs.get(taskId)!.state = { status: 'completed', result: VIDEO_RESULT };
    pricedContext.fixture.advanceClock(600_000);
    await advanceTasks('worker', pricedContext.fixture.context);
    const { outcome } = await execution.settle();
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { structuredContent: { taskId, status: 'completed', result: VIDEO_RESULT } },
    });
  });

  it('can be canceled', async () => {
    const { session } = await connectWithKey();
    const execution = await session.callTool('run_capability', run);
    await execution.cancel();
    expect((await execution.settle()).outcome.status).toBe('cancelled');
  });

  it('are not created when the result is available immediately', async () => {
    const { session } = await connectWithKey();
    const { id } = [...capabilityCatalogOf(site).values()].find(
      ({ adapter }) => adapter === 'facts',
    )!;
    const execution = await session.callTool('run_capability', { capability: id, input: {} });
    expect(execution.kind).toBe('immediate');
  });
});
