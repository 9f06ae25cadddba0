import type { CapabilityRecord } from '../../site/capability-record.ts';
import {
  createCurlSample,
  createJsonSample,
  SAMPLE_AUTH_HEADERS,
  type Sample,
} from '../../site/developer/request-samples.ts';
import { toSampleRequest, createSandboxRequest } from '../../site/developer/sandbox-requests.ts';
import { capabilityPage } from '../../text/index.ts';
import type { Site } from '../../site/site.ts';

const { samples: text } = capabilityPage;

/** The first example of a capability’s input. */
const exampleInputOf = ({ inputSchema }: CapabilityRecord): unknown =>
  (Array.isArray(inputSchema['examples']) ? inputSchema['examples'][0] : undefined) ?? {};

/** Sample calls to a capability: in the sandbox, with its quote, as a task, and over MCP. */
export function createCapabilitySamples(site: Site, capability: CapabilityRecord): Sample[] {
  const { base } = site;
  const input = { capability: capability.id, input: exampleInputOf(capability) };
  const exampleRequest = createSandboxRequest(site, capability);
  const quoted = capability.pricing.kind === 'quote';
  const createPostSample = (title: string, path: string, body: object, headers: object = {}) =>
    createCurlSample(title, {
      method: 'POST',
      url: `${base}${path}`,
      headers: { ...SAMPLE_AUTH_HEADERS, ...headers },
      body,
    });
  return [
    ...(exampleRequest
      ? [createCurlSample(text.sandbox, toSampleRequest(base, exampleRequest))]
      : []),
    ...(quoted ? [createPostSample(text.quote, '/api/v1/quotes', input)] : []),
    createPostSample(
      text.task,
      '/api/v1/tasks',
      {
        ...input,
        ...(quoted && { quoteId: text.quoteId, maxAmount: text.maxAmount }),
      },
      { 'Idempotency-Key': text.idempotencyKey },
    ),
    createJsonSample(text.mcp, {
      method: 'tools/call',
      params: { name: 'run_capability', arguments: input },
    }),
    createJsonSample(text.input, exampleInputOf(capability)),
  ];
}
