import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const ABOUT = { name: 'frontage-test', version: '1.0.0' };

async function older(url: URL) {
  const client = new OlderClient(ABOUT);
  // The transport's own type has an optional session id where its interface has none under exactOptionalPropertyTypes.
  await client.connect(new OlderTransport(url) as Parameters<OlderClient['connect']>[0]);
  return client;
}

async function newer(url: URL, mode: 'legacy' | { pin: string }) {
  const client = new ModernClient(ABOUT, { versionNegotiation: { mode } });
  await client.connect(new ModernTransport(url));
  return client;
}

/** The official clients, each in each era that it speaks. */
export const clients = {
  'the client of SDK 1': older,
  'the client of SDK 2 in the older era': (url: URL) => newer(url, 'legacy'),
  'the client of SDK 2 at 2026-07-28': (url: URL) => newer(url, { pin: '2026-07-28' }),
} as const;

export type AnyClient = Awaited<ReturnType<(typeof clients)[keyof typeof clients]>>;
