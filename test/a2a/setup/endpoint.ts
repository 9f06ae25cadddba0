import { AgentCard, type Message, Role, type SendMessageRequest, type Task } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { listDocuments } from '../../../src/artifacts/index.ts';
import type { Context } from '../../../src/operation/context.ts';
import { toProblem } from '../../../src/http/faults.ts';
import { createA2aEndpoint } from '../../../src/a2a/endpoint.ts';
import type { CheckRateLimit } from '../../../src/http/rate-limit.ts';
import { memoize } from '../../../src/site/memoize.ts';

/** Protocol bindings in the agent card. */
export const bindings = ['JSONRPC', 'HTTP+JSON'] as const;
export type Binding = (typeof bindings)[number];

const noLimits: CheckRateLimit = async () => ({ headers: {} });

/**
 * The A2A endpoint of a context as a `fetch` function that uses no socket. Every call creates a new
 * endpoint, so no state is kept in memory.
 */
export function createEndpoint(
  context: Context,
  checkRateLimit: CheckRateLimit = noLimits,
  address = '192.0.2.7',
): typeof fetch {
  const endpoint = createA2aEndpoint({
    context,
    toProblem: (thrown) => toProblem(thrown, context),
  });
  return async (input, init) => {
    const request = new Request(input as string, init as RequestInit);
    return endpoint(
      request,
      decodeURI(new URL(request.url).pathname).slice('/a2a/v1'.length).replace(/\/$/, ''),
      { address, checkRateLimit },
    );
  };
}

/** A `fetch` function that also sends a key with each request. */
export const withKey =
  (plainFetch: typeof fetch, key: string): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${key}`);
    return plainFetch(input, { ...init, headers });
  };

/**
 * The served agent card of each site, as JSON text. It is kept, because rendering all documents
 * takes a long time.
 */
const cardTextOf = memoize(
  (site: Context['site']) =>
    listDocuments(site).find(({ path }) => path === '/.well-known/agent-card.json')!.body,
);

/** The served agent card of a site. */
export const cardOf = ({ site }: Context): Record<string, unknown> =>
  JSON.parse(cardTextOf(site)) as Record<string, unknown>;

/** The official client for one binding, configured from the agent card. */
export function createBindingClient(
  context: Context,
  binding: Binding,
  fetchImpl = createEndpoint(context),
): Promise<Client> {
  const transports = [
    binding === 'JSONRPC'
      ? new JsonRpcTransportFactory({ fetchImpl })
      : new RestTransportFactory({ fetchImpl }),
  ];
  return new ClientFactory({ transports, preferredTransports: [binding] }).createFromAgentCard(
    AgentCard.fromJSON(cardOf(context)),
  );
}

let messages = 0;

/** A user message with one part. */
export function message(
  content: { data: unknown } | { text: string },
  more: Partial<Message> = {},
): SendMessageRequest {
  const part =
    'data' in content
      ? { $case: 'data' as const, value: content.data }
      : { $case: 'text' as const, value: content.text };
  return {
    tenant: '',
    message: {
      messageId: `message-${++messages}`,
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [{ content: part, metadata: undefined, filename: '', mediaType: '' }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...more,
    },
    configuration: undefined,
    metadata: undefined,
  };
}

/** The result as a task; throws if it is a message. */
export function taskOf(answer: Message | Task): Task {
  if ('messageId' in answer) throw new Error('The answer is a message, not a task.');
  return answer;
}

/** The data in the first data part. */
export const dataIn = (
  parts: readonly { content?: { $case: string; value: unknown } | undefined }[] = [],
): any => parts.find((part) => part.content?.$case === 'data')?.content?.value;

/** The receipt in a completed task. */
export const receiptOf = (task: Task): any => dataIn(task.artifacts[0]?.parts);
