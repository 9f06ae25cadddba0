import { afterEach, describe, expect, it } from 'vitest';
import { listOperations } from '../../src/http/operations.ts';
import { createKey } from '../../src/keys/keys.ts';
import { MCP_ENDPOINTS } from '../../src/site/developer/mcp-endpoints.ts';
import { isObject } from '../../src/site/json-object.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { createTestApp, inputsOf } from './setup/send.ts';

// A caller can write a name that every object inherits, such as `constructor`, wherever a request
// names something. A lookup in a plain object then finds a function.

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const fixture = await openFixture(site);
const { key } = await createKey({ name: 'Agent', scopes: ['*'], expiresAt: null }, fixture.context);
const app = createTestApp(fixture);
/** A method, the accessor for the prototype, and the constructor. */
const inheritedNames = ['toString', '__proto__', 'constructor'];

/** Sends a request that must not cause an internal error. */
async function expectNoInternalError(path: string, init: RequestInit = {}): Promise<void> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${key}`);
  const response = await app.request(path, { ...init, headers }, { address: '192.0.2.7' });
  const text = await response.text();
  expect(response.status, `${path} ${String(init.body)}: ${text}`).toBeLessThan(500);
  expect(text, `${path} ${String(init.body)}`).not.toMatch(/"code":(?:"internal"|-32603)/);
}

const sendJson = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  expectNoInternalError(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** A copy of an object with one additional own member, even if it is called `__proto__`. */
const withMember = (object: object, name: string, value: unknown): object =>
  Object.fromEntries([...Object.entries(object), [name, value]]);

/** Copies of a body with a name as a member of every object, and as the value of every string. */
function* generateBodiesWith(body: unknown, name: string): Generator {
  if (typeof body === 'string') yield name;
  if (Array.isArray(body))
    for (const [index, entry] of body.entries())
      for (const inner of generateBodiesWith(entry, name)) yield body.with(index, inner);
  if (!isObject(body)) return;
  yield withMember(body, name, 'x');
  yield withMember(body, name, {});
  for (const [member, value] of Object.entries(body))
    for (const inner of generateBodiesWith(value, name)) yield withMember(body, member, inner);
}

/**
 * The same for the fields of an action alone. All actions share the other members of a request, so
 * the example of one action is enough to test them.
 */
function* generateBodiesWithFields(body: object, fields: object, name: string): Generator {
  for (const inner of generateBodiesWith(fields, name)) yield { ...body, fields: inner };
}

afterEach(() => {
  expect(fixture.logged.splice(0)).toEqual([]);
});

describe.each(inheritedNames)('the name %s', (name) => {
  it('in the path or query of any route causes no internal error', async () => {
    for (const { path, method } of new Set(app.routes)) {
      const target = path.replace(/:\w+(?:\{[^}]*\})?/g, encodeURIComponent(name));
      if (target === '*' || target === '/*') continue;
      for (const url of [target, `${target}?q=${name}&${name}=1&include=${name}`])
        for (const accept of ['application/json', 'text/html'])
          await expectNoInternalError(url, {
            method: method === 'ALL' ? 'GET' : method,
            headers: { accept },
          });
    }
  });

  it('in a JSON or form body of any operation causes no internal error', async () => {
    for (const { path, method, describe: about, form } of listOperations(site)) {
      if (method !== 'POST') continue;
      const target = path.replace('{receipt}', 'sandbox');
      const examples = Object.values(about(site).requestExamples ?? {});
      for (const [index, { value }] of examples.entries())
        for (const body of index > 0 && isObject(value) && isObject(value['fields'])
          ? generateBodiesWithFields(value, value['fields'], name)
          : generateBodiesWith(value, name)) {
          await sendJson(target, body);
          if (!form) continue;
          for (const accept of ['application/json', 'text/html'])
            await expectNoInternalError(target, {
              method: 'POST',
              headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
              body: new URLSearchParams(inputsOf(body as object)).toString(),
            });
        }
    }
  });

  it('as an MCP method, tool, prompt, resource or argument causes no internal error', async () => {
    for (const { path } of MCP_ENDPOINTS)
      for (const [method, params] of [
        [name, {}],
        ['tools/call', { name, arguments: {} }],
        ['tools/call', { name: 'search_capabilities', arguments: { query: name, [name]: 1 } }],
        ['tools/call', { name: 'ask_knowledge', arguments: { question: name, subsite: name } }],
        ['prompts/get', { name, arguments: { [name]: 'x' } }],
        ['resources/read', { uri: name }],
        [
          'completion/complete',
          { ref: { type: 'ref/prompt', name }, argument: { name, value: '' } },
        ],
      ] as const)
        await sendJson(
          path,
          { jsonrpc: '2.0', id: 1, method, params },
          { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
        );
  });

  it('as an A2A method or in an A2A message causes no internal error', async () => {
    const message = {
      messageId: 'inherited-name-00',
      role: 'ROLE_USER',
      parts: [{ data: withMember({ subsite: name, action: name, fields: {} }, name, {}) }],
    };
    for (const [method, params] of [
      [name, {}],
      [name, undefined],
      ['SendMessage', { message: withMember(message, name, name) }],
      ['GetTask', { id: name }],
      ['ListTasks', { contextId: name, status: name }],
    ] as const)
      await sendJson(
        '/a2a/v1',
        { jsonrpc: '2.0', id: 1, method, params },
        { 'a2a-version': '1.0' },
      );
    await sendJson(`/a2a/v1/${encodeURIComponent(name)}`, {}, { 'a2a-version': '1.0' });
    await sendJson(
      `/a2a/v1/tasks/${encodeURIComponent(name)}:cancel`,
      {},
      { 'a2a-version': '1.0' },
    );
  });
});
