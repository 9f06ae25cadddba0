import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  type ApplicationInputHandler,
  createTaskSessionFromClient,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';

const CLIENT_INFO = { name: 'frontage-test', version: '1.0.0' };
const REVISION = '2026-07-28';

/** Polling interval of the session, short because tests cannot wait as long as people do. */
const POLL_MS = 200;

type Dispatch = NonNullable<Parameters<typeof createTaskSessionFromClient>[1]['rawDispatch']>;

/** An official client session with the tasks extension, which shows forms with `onInputRequest`. */
export async function openTaskSession(
  url: URL,
  onInputRequest?: ApplicationInputHandler['handle'],
  headers: Record<string, string> = {},
): Promise<{ client: Client; session: TaskEnabledSession; dispatch: Dispatch }> {
  const client = new Client(CLIENT_INFO, { versionNegotiation: { mode: { pin: REVISION } } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  let id = 0;
  const dispatch: Dispatch = async (request, { signal } = {}) => {
    const { method, params } = request as {
      method: string;
      params: { name?: string; taskId?: string };
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        'mcp-name': params.name ?? params.taskId ?? '',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      ...(signal && { signal }),
    });
    const { result, error } = (await response.json()) as { result?: any; error?: any };
    if (result?.pollIntervalMs !== undefined) result.pollIntervalMs = POLL_MS;
    return error ? { kind: 'error', error } : { kind: 'result', result };
  };
  const session = createTaskSessionFromClient(client, {
    endpointId: url.href,
    rawDispatch: dispatch,
    v2RequestFraming: {
      protocolVersion: REVISION,
      clientInfo: CLIENT_INFO,
      clientCapabilities: onInputRequest ? { elicitation: {} } : {},
    },
    ...(onInputRequest && { onInputRequest }),
  });
  return { client, session, dispatch };
}
