import { describe, expect, it, vi } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { createRateLimitCheck } from '../../src/http/rate-limit.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { NOTHING_SUBMITTED_TEXT } from '../../src/a2a/knowledge-answer.ts';
import { UNCERTAIN_ANSWER_TEXT } from '../../src/search/knowledge.ts';
import { createServiceToAsk } from '../../src/search/services-to-ask.ts';
import { createEndpoint } from './setup/endpoint.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const [{ subsite, action }] = listActions(site).filter(
  (verb) => !verb.action.effect,
) as unknown as [ReturnType<typeof listActions>[number]];
const validRequest = {
  subsite: subsite.name,
  action: action.verb,
  fields: exampleValuesOf(action.fields),
  contact: { email: 'dana@example.com' },
};
const ENDPOINT_URL = 'https://network.example/a2a/v1';

const fixture = await openFixture(site);
const endpoint = createEndpoint(fixture.context);
const post = (body: unknown, path = '', headers: Record<string, string> = {}, fetch = endpoint) =>
  fetch(`${ENDPOINT_URL}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const rpc = async (
  method: unknown,
  params?: unknown,
  headers?: Record<string, string>,
): Promise<any> =>
  (
    await post(
      { jsonrpc: '2.0', id: 7, method, ...(params !== undefined && { params }) },
      '',
      headers,
    )
  ).json();
const createMessageParams = (part: unknown, more = {}) => ({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [part], ...more },
});
const createLegacyMessageParams = (part: unknown, more = {}) => ({
  message: {
    kind: 'message',
    messageId: crypto.randomUUID(),
    role: 'user',
    parts: [part],
    ...more,
  },
});

describe('the method names of version 0.3', () => {
  it('submit, read, and cancel tasks in the version 0.3 format', async () => {
    const { result } = await rpc(
      'message/send',
      createLegacyMessageParams({ kind: 'data', data: validRequest }),
    );
    expect(result).toMatchObject({ kind: 'task', status: { state: 'working' } });
    const part = result.artifacts[0].parts.find(({ kind }: any) => kind === 'data');
    expect(part.data).toMatchObject({ subsite: subsite.name, status: 'new' });
    expect((await rpc('tasks/get', { id: result.id })).result).toMatchObject({
      kind: 'task',
      id: result.id,
      artifacts: result.artifacts,
    });
    for (const _ of ['once', 'again'])
      expect((await rpc('tasks/cancel', { id: result.id })).result.status.state).toBe('canceled');
    const sandboxTask = (
      await rpc(
        'message/send',
        createLegacyMessageParams({ kind: 'data', data: { ...validRequest, sandbox: true } }),
      )
    ).result;
    expect(sandboxTask.status.state).toBe('completed');
    expect((await rpc('tasks/cancel', { id: sandboxTask.id })).error.code).toBe(-32001);
    expect((await rpc('tasks/cancel', { id: 'sandbox-declined' })).error.code).toBe(-32002);
    const waiting = (
      await rpc('message/send', {
        ...createLegacyMessageParams({ kind: 'data', data: {} }),
        configuration: { blocking: true },
      })
    ).result;
    expect(waiting.status.state).toBe('input-required');
    expect((await rpc('tasks/cancel', { id: waiting.id })).result.status.state).toBe('canceled');
  });

  it('answer a question with a version 0.3 message', async () => {
    const { result } = await rpc(
      'message/send',
      createLegacyMessageParams({ kind: 'text', text: subsite.title }),
      {
        'a2a-version': '0.3',
      },
    );
    expect(result).toMatchObject({ kind: 'message', role: 'agent' });
    expect(result.parts.map(({ kind }: any) => kind)).toEqual(['text', 'data']);
  });

  it.each([[{ text: 'Hello' }], [{ kind: 'words', text: 'Hello' }]])(
    'report a part without a kind: %j',
    async (part) => {
      const { error } = await rpc('message/send', createLegacyMessageParams(part));
      expect(error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(
          /^message\.parts\[0\]\.kind: .*Send text, data or file: in A2A 0\.3/,
        ),
      });
    },
  );

  it.each(
    ['tasks/get', 'tasks/cancel'].flatMap((method) =>
      [undefined, '', 7, [], {}].map((id) => [method, id] as const),
    ),
  )('reject %s for a task named %j', async (method, id) => {
    const { error } = await rpc(method, { id });
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/id|shape/) });
  });

  it('stream an answer in the version 0.3 format', async () => {
    const params = createLegacyMessageParams({ kind: 'text', text: subsite.title });
    const response = await post({ jsonrpc: '2.0', id: 7, method: 'message/stream', params });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const [event] = (await response.text()).split('\n\n');
    expect(JSON.parse(event!.replace(/^data: /, ''))).toMatchObject({
      jsonrpc: '2.0',
      id: 7,
      result: { kind: 'message', role: 'agent' },
    });
    expect((await rpc('tasks/resubscribe', { id: crypto.randomUUID() })).error.code).toBe(-32001);
  });
});

describe('a question', () => {
  const recordQuestions = site.registry.subsites
    .filter(({ status }) => status === 'public')
    .flatMap(({ questions = [] }) => questions.slice(0, 1));

  it.each(recordQuestions)(
    'over %s finds published passages with their sources, and creates no task',
    async (text) => {
      const { result } = await rpc('SendMessage', createMessageParams({ text }));
      expect(Object.keys(result)).toEqual(['message']);
      const { taskId, role, parts } = result.message;
      expect([taskId, role]).toEqual([undefined, 'ROLE_AGENT']);
      const { published, passages } = parts[1].data;
      expect(passages.length).toBeGreaterThan(0);
      expect(parts[0].text.includes(UNCERTAIN_ANSWER_TEXT)).toBe(!published);
      for (const { text: passageText, url } of passages)
        expect(parts[0].text).toContain(`${passageText} (${url})`);
    },
  );

  it('without an answer gets a message that suggests how to submit a request', async () => {
    const { result } = await rpc(
      'SendMessage',
      createMessageParams({ text: 'zzyzx quuxification' }),
    );
    expect(result.message.parts[0].text).toMatch(/^We found nobody here who does that\./);
    const named = await rpc('SendMessage', createMessageParams({ text: subsite.title }));
    expect(named.result.message.parts[1].data.next).toContainEqual({
      ...createServiceToAsk(subsite, site),
      subsite: subsite.name,
      title: subsite.title,
      actions: subsite.actions.map(({ verb }) => verb),
      manifestUrl: `${site.base}/api/agent/${subsite.name}`,
      example: expect.objectContaining({ sandbox: true }),
    });
    for (const { example, manifestUrl } of named.result.message.parts[1].data.next) {
      expect(named.result.message.parts[0].text).toContain(manifestUrl);
      const { result: created } = await rpc('SendMessage', createMessageParams({ data: example }));
      expect(created.task.status.state).toBe('TASK_STATE_COMPLETED');
    }
  });
});

describe('text that is meant as a request', () => {
  const textsOf = async (text: string, more: object = {}) => {
    const { result } = await rpc('SendMessage', createMessageParams({ text }, more));
    return result.message.parts.flatMap((part: { text?: string }) => part.text ?? []);
  };

  it('gets the answer that nothing was submitted if it is JSON', async () => {
    expect(await textsOf(JSON.stringify(validRequest))).toEqual([NOTHING_SUBMITTED_TEXT]);
  });

  it('gets that sentence after the answer in a conversation', async () => {
    const contextId = crypto.randomUUID();
    const texts = await textsOf('Yes, please book it.', { contextId });
    expect(texts).toEqual([expect.any(String), NOTHING_SUBMITTED_TEXT]);
    expect(await textsOf('Yes, please book it.')).toHaveLength(1);
    expect(await textsOf('{ trailers }')).toHaveLength(1);
  });
});

const malformed: Record<string, [params: unknown, code: number]> = {
  'no params': [undefined, -32602],
  'no message': [{}, -32602],
  'a message that is text': [{ message: 'x' }, -32602],
  'no messageId': [{ message: { role: 'ROLE_USER', parts: [{ text: 'x' }] } }, -32602],
  'a messageId that is too long': [
    createMessageParams({ text: 'x' }, { messageId: 'x'.repeat(256) }),
    -32602,
  ],
  'no parts': [createMessageParams({ text: 'x' }, { parts: [] }), -32602],
  'a part that is null': [createMessageParams(null), -32602],
  'an empty part': [createMessageParams({}), -32602],
  'a file': [createMessageParams({ url: 'https://example.com/a.pdf' }), -32005],
  'raw content that is not text': [createMessageParams({ raw: {} }), -32602],
  'two data parts': [
    createMessageParams(
      { data: validRequest },
      { parts: [{ data: validRequest }, { data: validRequest }] },
    ),
    -32602,
  ],
  'blank text': [createMessageParams({ text: '  ' }), -32602],
  'a question that is too long': [createMessageParams({ text: 'x'.repeat(4001) }), -32602],
  'a task that does not exist': [
    createMessageParams({ data: validRequest }, { taskId: 'secret-task-id' }),
    -32001,
  ],
};

describe('an invalid message', () => {
  it.each(Object.entries(malformed))('is reported over JSON-RPC: %s', async (_, [params, code]) => {
    const { error, id } = await rpc('SendMessage', params);
    expect([id, error.code]).toEqual([7, code]);
    expect(error.message).toMatch(/\.$/);
    expect(JSON.stringify(error)).not.toMatch(/secret-task-id|TypeError|undefined|reading/);
  });

  it.each(Object.entries(malformed))(
    'is reported over HTTP+JSON: %s',
    async (_, [params, code]) => {
      const response = await post(params ?? {}, '/message:send');
      expect(response.status).toBe(code === -32001 ? 404 : 400);
      const { error } = (await response.json()) as any;
      expect(error.message).toMatch(/\.$/);
      expect(error.details[0]['@type']).toBe('type.googleapis.com/google.rpc.ErrorInfo');
    },
  );

  it.each([
    null,
    5,
    'x',
    [],
    ['x'],
    {},
    { subsite: 5 },
    { subsite: '__proto__', action: 'constructor' },
    { ...validRequest, fields: null },
    { ...validRequest, more: 1 },
    { email: 5 },
  ])('leaves the task waiting for valid data: %j', async (data) => {
    const { result, error } = await rpc('SendMessage', createMessageParams({ data }));
    // null is not a valid part in protobuf JSON.
    if (data === null) return void expect(error.code).toBe(-32602);
    expect(result.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(result.task.status.message.parts[1].data.errors.length).toBeGreaterThan(0);
  });

  it('say where an email address beside the fields of an action belongs', async () => {
    const { result } = await rpc(
      'SendMessage',
      createMessageParams({ data: { ...validRequest, email: 'a@b.example', foo: 1 } }),
    );
    const { errors } = result.task.status.message.parts[1].data;
    expect(errors.map(({ pointer }: any) => pointer)).toEqual(['/email', '/foo']);
    expect(errors[0].message).toMatch(/Move it to \/contact\/email\.$/);
  });
});

describe('the A2A transport', () => {
  it('accepts JSON-RPC with and without a trailing slash', async () => {
    for (const path of ['', '/'])
      expect(
        (
          (await (
            await post({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} }, path)
          ).json()) as any
        ).result.tasks,
      ).toEqual([]);
  });

  it('rejects anything but a single JSON-RPC request', async () => {
    const codes = async (body: unknown) => ((await (await post(body)).json()) as any).error.code;
    expect(await codes('{')).toBe(-32700);
    expect(await codes('')).toBe(-32600);
    const bigNumber = '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{"pageSize":1e400}}';
    expect(await (await post(bigNumber)).json()).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(await codes([{ jsonrpc: '2.0', id: 1, method: 'ListTasks' }])).toBe(-32600);
    for (const body of [
      {},
      null,
      5,
      'x',
      { jsonrpc: '1.0', method: 'ListTasks' },
      { jsonrpc: '2.0', method: 5 },
    ])
      expect(await codes(JSON.stringify(body))).toBe(-32600);
    expect(await codes({ jsonrpc: '2.0', id: 1, method: 'DropTasks', params: {} })).toBe(-32601);
    expect(await codes({ jsonrpc: '2.0', id: 1, method: 'DropTasks' })).toBe(-32601);
    const unknown = await post({ jsonrpc: '2.0', id: 1, method: 'DropTasks', params: {} });
    const { message } = ((await unknown.json()) as any).error;
    for (const method of ['SendMessage', 'ListTasks', 'GetExtendedAgentCard'])
      expect(message).toContain(method);
  });

  it.each([
    ['SendStreamingMessage', {}, -32602],
    [
      'SendStreamingMessage',
      createMessageParams({ data: validRequest }, { taskId: 'none' }),
      -32001,
    ],
    ['SubscribeToTask', {}, -32602],
    ['SubscribeToTask', { id: 'none' }, -32001],
  ])(
    'rejects %s with params %j in a JSON response, before a stream opens',
    async (method, params, code) => {
      expect((await rpc(method, params)).error.code).toBe(code);
    },
  );

  it.each([
    'CreateTaskPushNotificationConfig',
    'GetTaskPushNotificationConfig',
    'ListTaskPushNotificationConfigs',
    'DeleteTaskPushNotificationConfig',
  ])('rejects %s without a key', async (method) => {
    const { error } = await rpc(method, { taskId: 'x', id: 'y', url: 'https://example.com' });
    expect(error.data[1].code).toBe('unauthorized');
  });

  it('names the task states when a list is filtered by another one', async () => {
    for (const status of ['working', 'UNRECOGNIZED']) {
      const { error } = await rpc('ListTasks', { status });
      expect(error.code).toBe(-32602);
      expect(error.message).toMatch(
        /^status is not a task state\. Send one of TASK_STATE_SUBMITTED/,
      );
    }
    expect((await rpc('ListTasks', { status: 'TASK_STATE_WORKING' })).result).toBeDefined();
  });

  it('rejects versions other than 1.0 and 0.3', async () => {
    for (const version of ['1.0', '1.0.3', '0.3', '0.3.0'])
      expect((await rpc('ListTasks', {}, { 'a2a-version': version })).result).toBeDefined();
    for (const version of ['2.0', '0.2', 'latest', '1.0;x'])
      expect((await rpc('ListTasks', {}, { 'a2a-version': version })).error.code).toBe(-32009);
    expect((await endpoint(`${ENDPOINT_URL}/tasks?A2A-Version=9.9`)).status).toBe(400);
  });

  it.each([
    ['POST', '/message:stream', 400],
    ['GET', '/tasks/x:subscribe', 404],
    ['POST', '/tasks/x:subscribe', 404],
    ['POST', '/tasks/x/pushNotificationConfigs', 400],
    ['GET', '/extendedAgentCard', 400],
    ['GET', '/tasks/x', 404],
    ['POST', '/tasks/x:cancel', 404],
    ['GET', '/tasks?pageSize=0', 400],
    ['GET', '/tasks?status=NONE', 400],
    ['GET', '/tasks?historyLength=-1', 400],
    ['GET', '/tasks?pageSize=1.5', 400],
    ['GET', '/tasks?includeArtifacts=yes', 400],
    ['GET', '/tasks/sandbox?historyLength=-1', 400],
    ['GET', '/tasks/sandbox?historyLength=abc', 400],
    ['GET', '/tasks/sandbox?historyLength=', 400],
    ['GET', '/message:send', 405],
    ['PUT', '/tasks', 405],
    ['GET', '/anything', 404],
    ['GET', '', 405],
  ])('answers %s %s with status %i', async (method, path, status) => {
    const response = await endpoint(`${ENDPOINT_URL}${path}`, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(((await response.json()) as any).error.message).toMatch(/\.$/);
    if (status === 405) expect(response.headers.get('allow')).toContain('OPTIONS');
  });

  it('accepts counts and flags in the query of an HTTP+JSON request', async () => {
    for (const path of [
      '/tasks?historyLength=1&pageSize=5&includeArtifacts=true&status=TASK_STATE_WORKING',
      '/tasks?history_length=0&includeArtifacts=false',
      '/tasks/sandbox?historyLength=0',
    ])
      expect([path, (await endpoint(`${ENDPOINT_URL}${path}`)).status]).toEqual([path, 200]);
  });

  it.each([
    ['', '{'],
    ['/message:send', '{'],
    ['', 'x'.repeat(70_000)],
  ])('counts an unreadable body at "%s" against the rate limit', async (path, body) => {
    const limited = createEndpoint(fixture.context, createRateLimitCheck({ writes: 9, reads: 1 }));
    const send = async () =>
      limited(`${ENDPOINT_URL}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    const first = await send();
    expect(first.status).toBe(body === '{' ? 400 : 413);
    expect(first.headers.has('ratelimit')).toBe(true);
    expect((await send()).status).toBe(429);
  });

  it('answers HEAD like GET, as a read without a body', async () => {
    const limited = createEndpoint(fixture.context, createRateLimitCheck({ writes: 1, reads: 9 }));
    for (const path of ['/tasks/sandbox', '/tasks', '/tasks/sandbox:subscribe']) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => limited(`${ENDPOINT_URL}${path}`, { method })),
      );
      expect([path, head!.status, head!.headers.get('content-type')]).toEqual([
        path,
        get!.status,
        get!.headers.get('content-type'),
      ]);
      expect(head!.body).toBeNull();
      await get!.body?.cancel();
    }
    const refused = await endpoint(`${ENDPOINT_URL}/tasks`, { method: 'PUT' });
    expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('returns an empty list with all pagination members for an HTTP+JSON request without a context', async () => {
    const response = await endpoint(`${ENDPOINT_URL}/tasks?pageSize=5`);
    expect(response.headers.get('content-type')).toBe('application/a2a+json');
    expect(await response.json()).toEqual({
      tasks: [],
      nextPageToken: '',
      pageSize: 5,
      totalSize: 0,
    });
  });

  it.each(['', '/message:send'])(
    'rejects other media types and bodies over 64 KiB at "%s"',
    async (path) => {
      expect(
        (await post('x=1', path, { 'content-type': 'application/x-www-form-urlencoded' })).status,
      ).toBe(415);
      expect((await post(JSON.stringify({ x: 'x'.repeat(65_536) }), path)).status).toBe(413);
      expect((await post('[['.repeat(40) + ']]'.repeat(40), path)).status).toBe(400);
    },
  );

  it('allows requests from pages on any origin', async () => {
    const options = await endpoint(ENDPOINT_URL, {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example' },
    });
    expect([options.status, options.headers.get('access-control-allow-origin')]).toEqual([
      204,
      '*',
    ]);
    expect(options.headers.get('access-control-allow-headers')).toContain('a2a-version');
    expect(
      (await post({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe('*');
  });

  it.each(['', '/message:send'])(
    'counts an action as a write and a question as a read, at "%s"',
    async (path) => {
      const limitedEndpoint = createEndpoint(
        fixture.context,
        createRateLimitCheck({ writes: 1, reads: 2 }),
      );
      const send = (part: unknown) =>
        post(
          path
            ? createMessageParams(part)
            : { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: createMessageParams(part) },
          path,
          {},
          limitedEndpoint,
        );
      expect((await send({ data: validRequest })).status).toBe(200);
      const refused = await send({ data: validRequest });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const { error } = (await refused.json()) as any;
      expect((error.details ?? error.data)[1]).toMatchObject({
        type: `${site.base}/problems/rate_limited`,
        code: 'rate_limited',
      });
      expect((await send({ text: subsite.title })).status).toBe(200);
    },
  );

  it('answers 503 with Retry-After and creates no task while the database is unreachable, and accepts the message later', async () => {
    const failingFixture = await openFixture(site);
    const failingEndpoint = createEndpoint(failingFixture.context);
    await failingFixture.database.close();
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: createMessageParams({ data: validRequest }),
    };
    const consoleError = vi.spyOn(console, 'error');
    const getTaskRequest = {
      jsonrpc: '2.0',
      id: 1,
      method: 'GetTask',
      params: { id: crypto.randomUUID() },
    };
    for (const [path, sent] of [
      ['', body],
      ['/message:send', body.params],
      ['', getTaskRequest],
      ['', { ...getTaskRequest, method: 'CancelTask' }],
    ] as const) {
      const refused = await post(sent, path, {}, failingEndpoint);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      const { error } = (await refused.json()) as any;
      expect((error.details ?? error.data)[1].code).toBe('unavailable');
    }
    // The error appears only in the log, without task IDs.
    expect(consoleError).not.toHaveBeenCalled();
    consoleError.mockRestore();
    expect(((await (await post(body)).json()) as any).result.task.status.state).toBe(
      'TASK_STATE_WORKING',
    );
  });
});
