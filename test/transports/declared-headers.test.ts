import { describe, expect, it } from 'vitest';
import { listDocuments } from '../../src/artifacts/index.ts';
import { listOperations } from '../../src/http/operations.ts';
import { createRateLimitCheck } from '../../src/http/rate-limit.ts';
import { createKey } from '../../src/keys/keys.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client, inputsOf, type RequestOptions } from './setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const document = JSON.parse(
  listDocuments(site).find(({ path }) => path === '/api/openapi.json')!.body,
) as Record<string, any>;

/** Headers that an operation declares for all its responses. */
const HEADER_NAMES = Object.keys(document['components'].headers);
const HIGH_LIMITS = createRateLimitCheck({ reads: 100_000, writes: 100_000 });
const IDEMPOTENCY_KEY = 'a-key-of-one-intent';

interface RecordedResponse {
  /** Method and path of the operation. */
  operation: string;
  status: number;
  sent: string[];
}

const declaredHeadersOf = ({
  operation,
  status,
}: Pick<RecordedResponse, 'operation' | 'status'>): string[] | undefined => {
  const [method, path] = operation.split(' ') as [string, string];
  const response = document['paths'][path][method].responses[status];
  return response && Object.keys(response.headers ?? {}).sort();
};

describe('the headers that the OpenAPI document declares', async () => {
  const fixture = await openFixture(site);
  const createAuthorization = async (...scopes: string[]) => {
    const { key } = await createKey({ name: 'Agent', scopes, expiresAt: null }, fixture.context);
    return { authorization: `Bearer ${key}` };
  };
  const [allScopesHeader, inboxScopeHeader] = [
    await createAuthorization('*'),
    await createAuthorization('inbox'),
  ];
  const recordedResponses: RecordedResponse[] = [];
  const { send, json, form } = client(fixture, HIGH_LIMITS);

  async function record(path: string, method: string, response: Response): Promise<Response> {
    const sent = HEADER_NAMES.filter((name) => response.headers.has(name)).sort();
    recordedResponses.push({
      operation: `${method.toLowerCase()} ${path}`,
      status: response.status,
      sent,
    });
    return response;
  }
  const exampleOf = (path: string): any =>
    Object.values<any>(
      document['paths'][path].post?.requestBody?.content['application/json'].examples ?? {},
    )[0]?.value;

  for (const { path, method, requiresKey: bearer, form: takesForm } of listOperations(site)) {
    const body = exampleOf(path);
    const post = (more: RequestOptions = {}, value: unknown = body) =>
      value === undefined || method !== 'POST'
        ? send(path, { ...more, method })
        : json(path, value, { ...more, method });
    const ask = async (more: RequestOptions = {}, value: unknown = body) =>
      record(
        path,
        method,
        await post({ ...more, headers: { ...allScopesHeader, ...more.headers } }, value),
      );

    const first = await ask();
    const etag = first.headers.get('etag');
    if (method === 'GET' && etag) await ask({ headers: { 'if-none-match': etag } });
    if (body) {
      const { sandbox: _, ...stored } = body;
      for (const value of [stored, stored, { ...stored, more: 1 }])
        await ask({ headers: { 'idempotency-key': `${IDEMPOTENCY_KEY}-${path}` } }, value);
      await ask({}, '{');
      await ask({}, 'x'.repeat(3_000_000));
      await record(path, method, await send(path, { method, headers: allScopesHeader, body: 'x' }));
      await ask({}, { ...stored, callback: { url: 'https://agent.example/x' } });
      for (const authorization of ['', 'Bearer nothing', inboxScopeHeader.authorization])
        await ask(
          { headers: { authorization } },
          { ...stored, callback: { url: 'https://a.example/x' } },
        );
      await ask({}, { ...stored, contract: `sha-256:${'0'.repeat(64)}` });
    }
    if (takesForm && body) {
      const { sandbox: _, ...stored } = body;
      for (const __ of [1, 2])
        await record(
          path,
          method,
          await form(path, inputsOf(stored), {
            headers: { 'idempotency-key': `${IDEMPOTENCY_KEY}-f${path}` },
          }),
        );
    }
    if (bearer)
      for (const { authorization } of [{ authorization: 'Bearer nothing' }, inboxScopeHeader])
        await ask({ headers: { authorization } });
    const limitedClient = client(fixture, createRateLimitCheck({ reads: 1, writes: 1 }));
    for (const _ of [1, 2])
      await record(
        path,
        method,
        await limitedClient.send(path, { method, headers: allScopesHeader }),
      );
  }

  const rpc = (method: string, params?: object, id: number | undefined = 1) => ({
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    method,
    ...(params && { params }),
  });
  const accept = 'application/json, text/event-stream';
  for (const path of ['/api/mcp', '/api/v1/mcp', '/api/v1/agent-mcp', '/a2a/v1']) {
    const call = async (
      value: unknown,
      more: Record<string, string> = allScopesHeader,
      to = json,
    ) => record(path, 'post', await to(path, value, { headers: { accept, ...more } }));
    await call(rpc('tools/list'));
    await call(rpc('nothing/such'));
    await call({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await call(rpc('tools/list'), { 'a2a-version': '9.9' });
    await call('{');
    await call('x'.repeat(3_000_000));
    await record(path, 'post', await send(path, { headers: allScopesHeader, body: 'x' }));
    await call(rpc('tools/list'), { authorization: 'Bearer nothing' });
    const message = { messageId: `m-${path}`, role: 'ROLE_USER', parts: [{ text: 'Trailers?' }] };
    const taskPushNotificationConfig = { url: 'https://agent.example/push' };
    for (const more of [{}, inboxScopeHeader])
      await call(rpc('SendMessage', { message, configuration: { taskPushNotificationConfig } }), {
        'a2a-version': '1.0',
        ...more,
      });
    const { json: limitedClient } = client(fixture, createRateLimitCheck({ reads: 1, writes: 1 }));
    for (const _ of [1, 2]) await call(rpc('tools/list'), allScopesHeader, limitedClient);
  }

  const { receiptToken: receipt } = (await (
    await json('/api/lead/action', { ...exampleOf('/api/lead/action'), sandbox: false })
  ).json()) as { receiptToken: string };
  const emptyReply = { messageId: 'm-reply', role: 'ROLE_USER', parts: [{ data: {} }] };
  await record(
    '/a2a/v1',
    'post',
    await json('/a2a/v1', rpc('SendMessage', { message: { ...emptyReply, taskId: receipt } }), {
      headers: { 'a2a-version': '1.0' },
    }),
  );
  const messages = '/api/lead/{receipt}/messages';
  for (const [to, key] of [
    [json, 'json'],
    [form, 'form'],
  ] as const)
    for (const _ of [1, 2])
      await record(
        messages,
        'post',
        await to(
          messages,
          { text: `The gate is six feet wide (${key}).` },
          { params: { receipt }, headers: { 'idempotency-key': `${IDEMPOTENCY_KEY}-by-${key}` } },
        ),
      );
  const status = '/api/lead/{receipt}';
  const statusResponse = await send(status, { method: 'GET', params: { receipt } });
  const etag = statusResponse.headers.get('etag')!;
  // Four callers from one address wait for a change; the fifth is answered immediately.
  await Promise.all(
    Array.from({ length: 5 }, async () =>
      record(
        '/api/lead/{receipt}',
        'get',
        await send('/api/lead/{receipt}?wait=1', {
          method: 'GET',
          params: { receipt },
          headers: { 'if-none-match': etag },
        }),
      ),
    ),
  );

  it('include all headers of a response', () => {
    expect(recordedResponses.length).toBeGreaterThan(100);
    const undeclaredHeaders = recordedResponses.flatMap((answer) => {
      const declaredHeaders = declaredHeadersOf(answer);
      return answer.sent
        .filter((name) => !declaredHeaders?.includes(name))
        .map((name) => `${answer.operation} ${answer.status} ${name}`);
    });
    expect([...new Set(undeclaredHeaders)]).toEqual([]);
  });

  it('include the ETag of every document', () => {
    const operationPaths = new Set(listOperations(site).map(({ path }) => path));
    for (const [path, { get }] of Object.entries<any>(document['paths']))
      if (get && !operationPaths.has(path) && path !== '/healthz')
        for (const status of [200, 304])
          expect([path, status, Object.keys(get.responses[status].headers)]).toEqual([
            path,
            status,
            ['ETag'],
          ]);
  });

  it('are each sent in at least one response', () => {
    const sentHeaderNames = new Set(
      recordedResponses.flatMap(({ operation, sent }) =>
        sent.map((name) => `${operation} ${name}`),
      ),
    );
    expect(sentHeaderNames).toContain('get /api/lead/{receipt} Retry-After');
    const unsent = Object.entries(
      Object.groupBy(recordedResponses, ({ operation, status }) => `${operation} ${status}`),
    ).flatMap(([name, answers = []]) => {
      const sentHeaders = new Set(answers.flatMap((answer) => answer.sent));
      return (declaredHeadersOf(answers[0]!) ?? [])
        .filter((header) => header !== 'Retry-After' && !sentHeaders.has(header))
        .map((header) => `${name} ${header}`);
    });
    expect(unsent).toEqual([]);
  });
});
