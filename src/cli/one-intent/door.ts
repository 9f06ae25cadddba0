import { randomUUID } from 'node:crypto';
import { KEY_INPUT } from '../../site/form-inputs.ts';
import type { Intent } from './intent.ts';

/** A request, written. */
export interface Written {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** What a request was answered with. */
export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** One way in. */
export interface Door {
  name: string;
  /** The request that sends an intent through it. */
  write: (intent: Intent) => Written;
  /** Token of the receipt in an answer; undefined where it is a refusal. */
  receiptOf: (answer: Answered) => string | undefined;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MCP_VERSION = '2026-07-28';

const post = (path: string, value: unknown, headers: Record<string, string> = {}): Written => ({
  path,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});

/** The first text under a name in a JSON value, however deep the protocol puts it. */
function textUnder(name: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = (value as Record<string, unknown>)[name];
  if (typeof own === 'string') return own;
  for (const inner of Object.values(value)) {
    // An MCP tool result carries its problem as JSON inside a text.
    const found = typeof inner === 'string' ? textInJson(name, inner) : textUnder(name, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textInJson(name: string, body: string): string | undefined {
  try {
    return textUnder(name, JSON.parse(body));
  } catch {
    return undefined;
  }
}

const receiptInJson = ({ status, body }: Answered): string | undefined =>
  status >= 300 ? undefined : textInJson('receiptToken', body);

/** The code of the problem in an answer that is JSON, as a list of one or none. */
export function codeIn({ body }: Answered): string[] {
  const code = textInJson('code', body);
  return code === undefined ? [] : [code];
}

const actionOf = ({ subsite, action, fields, contact }: Intent) => ({
  subsite,
  action,
  fields,
  contact,
});

const json: Door = {
  name: 'json',
  write: (intent) =>
    post('/api/lead/action', actionOf(intent), { 'idempotency-key': intent.idempotencyKey }),
  receiptOf: receiptInJson,
};

const form: Door = {
  name: 'form',
  write({ subsite, action, fields, contact, idempotencyKey }) {
    const inputs = new URLSearchParams({ subsite, action, [KEY_INPUT]: idempotencyKey });
    for (const [name, value] of Object.entries(fields)) inputs.set(`fields.${name}`, String(value));
    for (const [name, value] of Object.entries(contact)) inputs.set(`contact.${name}`, value);
    return {
      path: '/api/lead/action',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: inputs.toString(),
    };
  },
  receiptOf: ({ status, headers }) =>
    status === 303 ? /\/receipt\/([^/?#]+)$/.exec(String(headers['location']))?.[1] : undefined,
};

const mcp: Door = {
  name: 'mcp',
  write(intent) {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MCP_VERSION,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'doors', version: '1' },
    };
    const params = {
      name: 'submit_action',
      arguments: { ...actionOf(intent), idempotencyKey: intent.idempotencyKey },
      _meta: meta,
    };
    return post(
      '/api/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MCP_VERSION,
        'mcp-method': 'tools/call',
        'mcp-name': 'submit_action',
      },
    );
  },
  receiptOf: receiptInJson,
};

const a2a: Door = {
  name: 'a2a',
  write(intent) {
    const message = {
      messageId: randomUUID(),
      role: 'ROLE_USER',
      parts: [{ data: { ...actionOf(intent), idempotencyKey: intent.idempotencyKey } }],
    };
    return post(
      '/a2a/v1',
      { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } },
      { 'a2a-version': '1.0' },
    );
  },
  receiptOf: receiptInJson,
};

const task = (key: string): Door => ({
  name: 'task',
  write: ({ subsite, action, fields, contact, idempotencyKey }) =>
    post(
      '/api/v1/tasks',
      { capability: `${subsite}.${action}`, input: { contact, fields }, idempotencyKey },
      { authorization: `Bearer ${key}` },
    ),
  receiptOf: receiptInJson,
});

/** Every door; the one for tasks where there is a key that opens it. */
export const doorsOf = (key?: string): readonly Door[] => [
  json,
  form,
  mcp,
  a2a,
  ...(key === undefined ? [] : [task(key)]),
];
