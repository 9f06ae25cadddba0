import type { CapabilityRecord } from '../../site/capability-record.ts';
import { curlSample, SAMPLE_KEY, type Sample } from '../../site/request-samples.ts';
import { asSample, sandboxRequest } from '../../site/sandbox-requests.ts';
import type { Site } from '../../site/site.ts';

/** The first example of a capability’s input. */
const exampleInput = ({ inputSchema }: CapabilityRecord): unknown =>
  (Array.isArray(inputSchema['examples']) ? inputSchema['examples'][0] : undefined) ?? {};

/** How a capability is called: in the sandbox, with its quote, as a task and by MCP. */
export function capabilitySamples(site: Site, capability: CapabilityRecord): Sample[] {
  const { base } = site;
  const input = { capability: capability.id, input: exampleInput(capability) };
  const trial = sandboxRequest(site, capability);
  const quoted = capability.pricing.kind === 'quote';
  const curl = (title: string, path: string, body: object, headers: object = {}): Sample => ({
    title,
    language: 'sh',
    text: curlSample({
      method: 'POST',
      url: `${base}${path}`,
      headers: { ...SAMPLE_KEY, ...headers },
      body,
    }),
  });
  const json = (title: string, value: unknown): Sample => ({
    title,
    language: 'json',
    text: JSON.stringify(value, null, 2),
  });
  return [
    ...(trial
      ? [
          {
            title: 'curl, without a key, in the sandbox',
            language: 'sh' as const,
            text: curlSample(asSample(base, trial)),
          },
        ]
      : []),
    ...(quoted ? [curl('curl, a quote first', '/api/v1/quotes', input)] : []),
    curl(
      'curl, as a task',
      '/api/v1/tasks',
      {
        ...input,
        ...(quoted && { quoteId: '<quoteId>', maxAmount: '<amount of the quote>' }),
      },
      { 'Idempotency-Key': '<a UUID of your own for this task>' },
    ),
    json('MCP, at /api/v1/agent-mcp', {
      method: 'tools/call',
      params: { name: 'run_capability', arguments: input },
    }),
    json('Example input', exampleInput(capability)),
  ];
}
