import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const CLIENT_INFO = { name: 'frontage-test', version: '1.0.0' };

/** Headers of every request, for example an API key. */
type Headers = Record<string, string>;

async function connectSdk1(url: URL, headers: Headers = {}) {
  const client = new OlderClient(CLIENT_INFO);
  const transport = new OlderTransport(url, { requestInit: { headers } });
  // With exactOptionalPropertyTypes, the transport’s optional session ID does not match its
  // interface.
  await client.connect(transport as Parameters<OlderClient['connect']>[0]);
  return client;
}

async function connectSdk2(url: URL, mode: 'legacy' | { pin: string }, headers: Headers = {}) {
  const client = new ModernClient(CLIENT_INFO, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(url, { requestInit: { headers } }));
  return client;
}

/** Official clients in each protocol version that they support. */
export const clients = {
  'the SDK 1 client': connectSdk1,
  'the SDK 2 client with the older version': (url: URL, headers?: Headers) =>
    connectSdk2(url, 'legacy', headers),
  'the SDK 2 client at 2026-07-28': (url: URL, headers?: Headers) =>
    connectSdk2(url, { pin: '2026-07-28' }, headers),
} as const;

export type AnyClient = Awaited<ReturnType<(typeof clients)[keyof typeof clients]>>;
