import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const ABOUT = { name: 'frontage-test', version: '1.0.0' };

/** Headers that a client sends with every request, such as the one with a key. */
type Headers = Record<string, string>;

async function older(url: URL, headers: Headers = {}) {
  const client = new OlderClient(ABOUT);
  const transport = new OlderTransport(url, { requestInit: { headers } });
  // The transport's own type has an optional session id where its interface has none under
  // exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<OlderClient['connect']>[0]);
  return client;
}

async function newer(url: URL, mode: 'legacy' | { pin: string }, headers: Headers = {}) {
  const client = new ModernClient(ABOUT, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(url, { requestInit: { headers } }));
  return client;
}

/** The official clients, each in each era that it speaks. */
export const clients = {
  'the client of SDK 1': older,
  'the client of SDK 2 in the older era': (url: URL, headers?: Headers) =>
    newer(url, 'legacy', headers),
  'the client of SDK 2 at 2026-07-28': (url: URL, headers?: Headers) =>
    newer(url, { pin: '2026-07-28' }, headers),
} as const;

export type AnyClient = Awaited<ReturnType<(typeof clients)[keyof typeof clients]>>;
