import { memberOf, parseJsonObject } from '../../site/json-object.ts';
import { randomUUID } from 'node:crypto';
import { KEY_INPUT } from '../../site/forms/form-inputs.ts';
import type { ProbeResponse } from '../probe/send-request.ts';
import type { Intent } from './intent.ts';

export interface ChannelRequest {
  /** Defaults to POST. */
  method?: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
}

export type ChannelResponse = Omit<ProbeResponse, 'body'> & { body: string };

export interface Channel {
  name: string;
  write: (intent: Intent) => ChannelRequest;
  /** Reads the receipt token from a response; undefined if the request was rejected. */
  receiptTokenOf: (answer: ChannelResponse) => string | undefined;
  /** What the customer can do through this channel; absent if nothing. */
  customer?: CustomerChannel;
}

export interface ConversationLead {
  receiptToken: string;
  /** ID of the A2A task that created the lead. */
  task: string;
}

export type CustomerMessage = { text: string } | { accept: string };

export interface CustomerChannel {
  read: (thread: ConversationLead) => ChannelRequest;
  /** Builds the request that sends a message with an idempotency key. */
  write: (
    thread: ConversationLead,
    message: CustomerMessage,
    idempotencyKey: string,
  ) => ChannelRequest;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const MCP_VERSION = '2026-07-28';

const post = (
  path: string,
  value: unknown,
  headers: Record<string, string> = {},
): ChannelRequest => ({
  path,
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify(value),
});

const get = (path: string): ChannelRequest => ({ method: 'GET', path, headers: {}, body: '' });

/** Finds the first string member with the given name in a JSON value, at any depth. */
function findTextAtKey(name: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const directText = memberOf(value, name);
  if (typeof directText === 'string') return directText;
  for (const inner of Object.values(value)) {
    // An MCP tool result contains its problem as JSON text.
    const found =
      typeof inner === 'string' ? findTextInJson(name, inner) : findTextAtKey(name, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds the first string member with the given name in a JSON body. */
export function findTextInJson(name: string, body: string): string | undefined {
  try {
    return findTextAtKey(name, JSON.parse(body));
  } catch {
    return undefined;
  }
}

const findReceiptInJson = ({ status, body }: ChannelResponse): string | undefined =>
  status >= 300 ? undefined : findTextInJson('receiptToken', body);

/** The problem code in a JSON response, as a list with at most one element. */
export function codesIn({ body }: ChannelResponse): string[] {
  const code = findTextInJson('code', body);
  return code === undefined ? [] : [code];
}

const toActionBody = ({ subsite, action, fields, contact }: Intent) => ({
  subsite,
  action,
  fields,
  contact,
});

const jsonChannel: Channel = {
  name: 'json',
  write: (intent) =>
    post('/api/lead/action', toActionBody(intent), { 'idempotency-key': intent.idempotencyKey }),
  receiptTokenOf: findReceiptInJson,
  customer: {
    read: ({ receiptToken }) => get(`/api/lead/${receiptToken}`),
    write: ({ receiptToken }, message, key) =>
      post(`/api/lead/${receiptToken}/messages`, message, { 'idempotency-key': key }),
  },
};

const createFormRequest = (path: string, inputs: URLSearchParams): ChannelRequest => ({
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: inputs.toString(),
});

const formChannel: Channel = {
  name: 'form',
  write({ subsite, action, fields, contact, idempotencyKey }) {
    const inputs = new URLSearchParams({ subsite, action, [KEY_INPUT]: idempotencyKey });
    for (const [name, value] of Object.entries(fields)) inputs.set(`fields.${name}`, String(value));
    for (const [name, value] of Object.entries(contact)) inputs.set(`contact.${name}`, value);
    return createFormRequest('/api/lead/action', inputs);
  },
  receiptTokenOf: ({ status, headers }) =>
    status === 303 ? /\/receipt\/([^/?#]+)$/.exec(headers['location'] ?? '')?.[1] : undefined,
  customer: {
    read: ({ receiptToken }) => get(`/receipt/${receiptToken}`),
    write: ({ receiptToken }, message, key) =>
      createFormRequest(
        `/receipt/${receiptToken}`,
        new URLSearchParams({ [KEY_INPUT]: key, ...message }),
      ),
  },
};

function createToolCall(name: string, args: object): ChannelRequest {
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

const mcpChannel: Channel = {
  name: 'mcp',
  write: (intent) =>
    createToolCall('submit_action', {
      ...toActionBody(intent),
      idempotencyKey: intent.idempotencyKey,
    }),
  receiptTokenOf: findReceiptInJson,
  customer: {
    read: ({ receiptToken }) => createToolCall('get_lead_status', { receiptToken }),
    write: ({ receiptToken }, message, idempotencyKey) =>
      createToolCall('reply_to_request', { receiptToken, ...message, idempotencyKey }),
  },
};

const createA2aRequest = (method: string, params: object): ChannelRequest =>
  post('/a2a/v1', { jsonrpc: '2.0', id: 1, method, params }, { 'a2a-version': '1.0' });

/** An A2A message with one data part. */
const createDataMessage = (data: object, task: { taskId?: string } = {}): ChannelRequest =>
  createA2aRequest('SendMessage', {
    message: { messageId: randomUUID(), role: 'ROLE_USER', ...task, parts: [{ data }] },
  });

export const a2aChannel: Channel = {
  name: 'a2a',
  write: (intent) =>
    createDataMessage({ ...toActionBody(intent), idempotencyKey: intent.idempotencyKey }),
  receiptTokenOf: findReceiptInJson,
  customer: {
    read: ({ task: id }) => createA2aRequest('GetTask', { id }),
    write: ({ task: taskId }, message, idempotencyKey) =>
      createDataMessage({ ...message, idempotencyKey }, { taskId }),
  },
};

/** Reads the task ID from an A2A response; undefined if the message was rejected. */
export function taskIdIn({ body }: ChannelResponse): string | undefined {
  const id = memberOf(memberOf(memberOf(parseJsonObject(body), 'result'), 'task'), 'id');
  return typeof id === 'string' ? id : undefined;
}

const createTaskChannel = (key: string): Channel => ({
  name: 'task',
  write: ({ subsite, action, fields, contact, idempotencyKey }) =>
    post(
      '/api/v1/tasks',
      { capability: `${subsite}.${action}`, input: { contact, fields }, idempotencyKey },
      { authorization: `Bearer ${key}` },
    ),
  receiptTokenOf: findReceiptInJson,
});

/** All channels; the task channel only with a key. */
export const listChannels = (key?: string): readonly Channel[] => [
  jsonChannel,
  formChannel,
  mcpChannel,
  a2aChannel,
  ...(key === undefined ? [] : [createTaskChannel(key)]),
];
