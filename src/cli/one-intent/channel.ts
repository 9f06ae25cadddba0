import { memberOf } from '../../site/json-object.ts';
import { randomUUID } from 'node:crypto';
import { KEY_INPUT } from '../../site/form-inputs.ts';
import type { Intent } from './intent.ts';

/** A request, written. */
export interface Written {
  /** POST when left out. */
  method?: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The answer to a request. */
export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** One channel through which a lead enters. */
export interface Channel {
  name: string;
  /** The request that sends an intent through the channel. */
  write: (intent: Intent) => Written;
  /** Token of the receipt in an answer; undefined where it is a refusal. */
  receiptOf: (answer: Answered) => string | undefined;
  /** What the holder of the receipt can do through it; absent where there is nothing. */
  holder?: HolderChannel;
}

/** The lead of a conversation. */
export interface Thread {
  /** Token of its receipt. */
  receipt: string;
  /** Id of a task of A2A that filed it. */
  task: string;
}

/** A message from the holder of a receipt. */
export type Said = { text: string } | { accept: string };

/** What the holder of a receipt can do through a channel. */
export interface HolderChannel {
  /** The request that reads the status of the lead. */
  read: (thread: Thread) => Written;
  /** The request that sends a message under a key. */
  write: (thread: Thread, said: Said, idempotencyKey: string) => Written;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MCP_VERSION = '2026-07-28';

const post = (path: string, value: unknown, headers: Record<string, string> = {}): Written => ({
  path,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});

const get = (path: string): Written => ({ method: 'GET', path, headers: {}, body: '' });

/** The first text under a name in a JSON value, however deep the protocol puts it. */
function textUnder(name: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = memberOf(value, name);
  if (typeof own === 'string') return own;
  for (const inner of Object.values(value)) {
    // An MCP tool result carries its problem as JSON inside a text.
    const found = typeof inner === 'string' ? textInJson(name, inner) : textUnder(name, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first text under a name in a body that is JSON. */
export function textInJson(name: string, body: string): string | undefined {
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

const json: Channel = {
  name: 'json',
  write: (intent) =>
    post('/api/lead/action', actionOf(intent), { 'idempotency-key': intent.idempotencyKey }),
  receiptOf: receiptInJson,
  holder: {
    read: ({ receipt }) => get(`/api/lead/${receipt}`),
    write: ({ receipt }, said, key) =>
      post(`/api/lead/${receipt}/messages`, said, { 'idempotency-key': key }),
  },
};

const postForm = (path: string, inputs: URLSearchParams): Written => ({
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: inputs.toString(),
});

const form: Channel = {
  name: 'form',
  write({ subsite, action, fields, contact, idempotencyKey }) {
    const inputs = new URLSearchParams({ subsite, action, [KEY_INPUT]: idempotencyKey });
    for (const [name, value] of Object.entries(fields)) inputs.set(`fields.${name}`, String(value));
    for (const [name, value] of Object.entries(contact)) inputs.set(`contact.${name}`, value);
    return postForm('/api/lead/action', inputs);
  },
  receiptOf: ({ status, headers }) =>
    status === 303 ? /\/receipt\/([^/?#]+)$/.exec(String(headers['location']))?.[1] : undefined,
  holder: {
    read: ({ receipt }) => get(`/receipt/${receipt}`),
    write: ({ receipt }, said, key) =>
      postForm(`/receipt/${receipt}`, new URLSearchParams({ [KEY_INPUT]: key, ...said })),
  },
};

/** A tool call. */
function callTool(name: string, args: object): Written {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MCP_VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'channels', version: '1' },
  };
  const params = { name, arguments: args, _meta: meta };
  return post(
    '/api/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MCP_VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
  );
}

const mcp: Channel = {
  name: 'mcp',
  write: (intent) =>
    callTool('submit_action', { ...actionOf(intent), idempotencyKey: intent.idempotencyKey }),
  receiptOf: receiptInJson,
  holder: {
    read: ({ receipt: receiptToken }) => callTool('get_lead_status', { receiptToken }),
    write: ({ receipt: receiptToken }, said, idempotencyKey) =>
      callTool('reply_to_request', { receiptToken, ...said, idempotencyKey }),
  },
};

const callA2a = (method: string, params: object): Written =>
  post('/a2a/v1', { jsonrpc: '2.0', id: 1, method, params }, { 'a2a-version': '1.0' });

/** A message of A2A with one data part. */
const sendData = (data: object, task: { taskId?: string } = {}): Written =>
  callA2a('SendMessage', {
    message: { messageId: randomUUID(), role: 'ROLE_USER', ...task, parts: [{ data }] },
  });

/** Messages of A2A. */
export const a2a: Channel = {
  name: 'a2a',
  write: (intent) => sendData({ ...actionOf(intent), idempotencyKey: intent.idempotencyKey }),
  receiptOf: receiptInJson,
  holder: {
    read: ({ task: id }) => callA2a('GetTask', { id }),
    write: ({ task: taskId }, said, idempotencyKey) =>
      sendData({ ...said, idempotencyKey }, { taskId }),
  },
};

/** Id of the task in an answer of A2A to a message; undefined where it is a refusal. */
export function taskIn({ body }: Answered): string | undefined {
  try {
    const id = memberOf(memberOf(memberOf(JSON.parse(body), 'result'), 'task'), 'id');
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

const task = (key: string): Channel => ({
  name: 'task',
  write: ({ subsite, action, fields, contact, idempotencyKey }) =>
    post(
      '/api/v1/tasks',
      { capability: `${subsite}.${action}`, input: { contact, fields }, idempotencyKey },
      { authorization: `Bearer ${key}` },
    ),
  receiptOf: receiptInJson,
});

/** Every channel; the one for tasks where there is a key that opens it. */
export const channelsOf = (key?: string): readonly Channel[] => [
  json,
  form,
  mcp,
  a2a,
  ...(key === undefined ? [] : [task(key)]),
];
