import { CLOSED_ANSWER_RULE } from '../calendar/answer-deadline.ts';
import { createMcpClientSamples } from './mcp-clients.ts';
import { MCP_ENDPOINTS } from './mcp-endpoints.ts';
import { createProofGuide } from './proof-guide.ts';
import { createRequestSamples, type Sample } from './request-samples.ts';
import { toSampleRequest, type SandboxRequest, createSandboxRequests } from './sandbox-requests.ts';
import { createCallbackExample, createWebhookVector } from './test-vectors.ts';
import type { Site } from '../site.ts';

/** Last path segments of the guides in the developer area. */
export const GUIDE_SLUGS = ['callbacks', 'connect', 'providers', 'sandbox', 'verify'] as const;

/** A page in the developer area; only URLs and examples differ between networks. */
export interface DeveloperGuide {
  slug: (typeof GUIDE_SLUGS)[number];
  title: string;
  /** One sentence. */
  description: string;
  /** Markdown whose headings start at level 2. */
  body: string;
  samples: readonly Sample[];
  /** Sample requests that a visitor can send from the page. */
  exampleRequests?: readonly SandboxRequest[];
}

const createConnectGuide = (site: Site): DeveloperGuide => ({
  slug: 'connect',
  title: 'Connect an MCP client',
  description: `MCP configurations for ${site.registry.network.name}: Claude, ChatGPT, Codex, Cursor, Gemini and VS Code.`,
  body: [
    `The MCP endpoints use Streamable HTTP without sessions. Copy the configuration for your client and replace \`<API_KEY>\` with your key. Omit any endpoint that you do not need.`,
    [
      '| Endpoint | What it does | Key |',
      '|---|---|---|',
      ...MCP_ENDPOINTS.map(
        ({ path, description, requiresKey: bearer }) =>
          `| \`${site.base}${path}\` | ${description} | ${bearer ? 'needs a key' : 'no key'} |`,
      ),
    ].join('\n'),
    `A client that declares the extension \`io.modelcontextprotocol/tasks\` follows a request to its end as a task: questions and offers appear as forms, and the final status is the result of the call. Declare it only if your client supports tasks.`,
  ].join('\n\n'),
  samples: createMcpClientSamples(site),
});

const createSandboxGuide = (site: Site): DeveloperGuide => {
  const exampleRequests = createSandboxRequests(site);
  const [first] = exampleRequests;
  return {
    slug: 'sandbox',
    title: 'Sandbox',
    description:
      'Send a trial request: it is validated and answered in full, and nothing is stored.',
    body: `With \`"sandbox": true\`, a request is validated like any other and answered with a receipt, but nothing is stored and nobody is notified. Availability is also checked: a trial hold for days that are taken returns the same conflict as a real hold, with the available days. Trial requests do not use up budgets, such as the number of holds, and budgets do not limit them, but the rate limit does. The receipt's token is \`sandbox\`, and \`${site.base}/api/lead/sandbox\` is its status. To rehearse what comes later, read \`${site.base}/api/lead/sandbox-needs_info\` or another state after the hyphen, such as \`sandbox-confirmed\` or \`sandbox-declined\`, over HTTP or MCP, or over A2A as the ID of a task: each is a fixed sample, and a reply to it returns the resulting state. Omit \`sandbox\` and add an \`Idempotency-Key\` to send a real request.`,
    samples: first ? createRequestSamples(toSampleRequest(site.base, first)) : [],
    exampleRequests,
  };
};

const createVerifyGuide = (site: Site): DeveloperGuide => ({
  slug: 'verify',
  title: 'Verify a receipt',
  description: site.receiptKey
    ? 'Check that a receipt or a status was issued here and has not been changed.'
    : 'How to check a signed receipt or status; this service signs nothing at present.',
  ...createProofGuide(site),
});

const NODE_CALLBACK_SAMPLE = `import { Webhook } from 'standardwebhooks';
import { createServer } from 'node:http';
import { env } from 'node:process';
import { text } from 'node:stream/consumers';

const webhook = new Webhook(env.WEBHOOK_SECRET);
createServer(async (request, response) => {
  try {
    const { type, data } = webhook.verify(await text(request), request.headers);
    console.log(type, data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(env.PORT ?? 8080);`;

const FLASK_CALLBACK_SAMPLE = `import os
from flask import Flask, request
from standardwebhooks import Webhook

app = Flask(__name__)
webhook = Webhook(os.environ['WEBHOOK_SECRET'])

@app.post('/')
def receive():
    event = webhook.verify(request.get_data(), dict(request.headers))
    print(event['type'], event['data'])
    return '', 204`;

const createCallbacksGuide = ({ base, registry: { network } }: Site): DeveloperGuide => ({
  slug: 'callbacks',
  title: 'Callbacks and webhooks',
  description:
    'How your program is notified of a new request, or of a change to a request that it sent.',
  body: `Both are posted as [Standard Webhooks](https://www.standardwebhooks.com/): a body with \`type\`, \`timestamp\` and \`data\`, signed in \`webhook-signature\`. Answer with any 2xx status within 15 seconds. A delivery that fails is retried for about three days, always with the same \`webhook-id\`: use it to ignore repeats. The same change has the same \`webhook-id\` at every URL, so if you have several URLs, check for repeats at each one separately.

## For agents: changes to a request

Without a key, wait for a change: \`GET ${base}/api/lead/{receipt}?wait=60\` with the latest ETag in \`If-None-Match\` responds as soon as the request changes, or with 304 after 60 seconds. Over MCP, \`get_lead_status\` with the latest \`updatedAt\` as \`newerThan\` does the same, for 50 seconds.

With a key that has the scope \`callbacks\`, send \`"callback": {"url": "https://…"}\` in the body of the request, in the arguments of an MCP tool, or in the data of an A2A message, with the key in the header \`Authorization\`. Each change is posted to that URL, signed with the callback secret that came with the key. With the same key, an A2A client can set up to 10 push notification configurations for a task: each change is posted as A2A specifies, with the client’s token and credentials and the same signature. Only public addresses are called, unless the operator allows private ones, for example for development. A 410 response ends the callback or the configuration.

\`\`\`json
${JSON.stringify(createCallbackExample(base), null, 2)}
\`\`\`

The body contains no personal data. Read \`statusUrl\` for the messages, the open offer and what you may do next.

## For providers: new requests

A provider for whom ${network.name} has set up a webhook gets \`lead.created\` and \`lead.changed\`:

| Property of \`data\` | Description |
|---|---|
| \`reference\` | the number that people use for the request |
| \`subsite\`, \`action\`, \`status\`, \`source\` | what was requested, the current status, and where the request came from |
| \`createdAt\` | ISO 8601 time |
| \`respondBy\` | when the next answer is due, as promised to the person, ISO 8601; absent if none is due. ${CLOSED_ANSWER_RULE} |
| \`fields\`, \`data\`, \`contact\` | what the person wrote |
| \`suspicions\`, \`repeated\` | signs of spam; whether the same person already sent a request for the same action within a day |
| \`change\` | with \`lead.changed\`: \`from\`, \`to\`, \`by\`, \`note\`, \`kind\` (\`phone_acceptance\` or \`change\`, for some confirmations) and \`offer\` |
| \`links\`, \`linksUntil\` | a signed link for each answer that is possible now, and when the links expire |

To answer, post JSON to one of the \`links\`: \`{"text": "…"}\`, which \`ask\` and \`reply\` require. With \`offer\`, also send \`amount\`, \`currency\` and \`expires\` (\`48h\`), and \`payer\` (\`provider\`) if the provider pays the customer. A link works once, and only while the request is in the state for which the link was issued.

## Test vector

The test vector below is a callback with the secret that signed it, so that a receiver can be tested without a key and without waiting for a request: sign \`body\` byte for byte. Libraries reject its timestamp because it is too old, so set your program’s clock to \`webhook-timestamp\` for the test. \`lead.created\`, \`lead.changed\` and the requests to and from providers of capabilities are signed in the same way; if there is no body, an empty string is signed.`,
  samples: [
    {
      title: 'JavaScript · npm install standardwebhooks',
      language: 'javascript',
      text: NODE_CALLBACK_SAMPLE,
    },
    {
      title: 'Python · pip install flask standardwebhooks',
      language: 'python',
      text: FLASK_CALLBACK_SAMPLE,
    },
    createWebhookVector(base),
  ],
});

const createProvidersGuide = (): DeveloperGuide => ({
  slug: 'providers',
  title: 'Capability results and providers',
  description: 'What a capability returns, and the HTTP interface that its provider implements.',
  body: `## Results of free capabilities

| Capability | Result |
|---|---|
| \`<subsite>.help\`, \`guide.<subsite>\` | \`{published, answer, passages, ask, limitations}\` |
| with the adapter \`assist\` | \`{answered, answer, passages, places, limitations}\` |

\`passages\` are the published passages that match best, each with \`subsite\`, \`kind\`, \`title\`, \`text\` and \`url\`. They are included even if none of them clearly answers the question: \`published\` or \`answered\` is then false, and \`answer\` explains this. Read the passages anyway. \`ask\` and \`places\` name services that you can ask.

## Results of priced capabilities

| Capability | Always | Sometimes |
|---|---|---|
| research | \`answer\` (text), \`sources\` (list of \`{url, title?}\`) | |
| video | \`url\` (http or https), \`mediaType\` (\`video/…\`), \`durationSeconds\` (number) | \`width\`, \`height\`, \`bytes\` (numbers), \`sha256\` (64 hexadecimal digits), \`expiresAt\` (ISO 8601 time) |

If a provider's result lacks a property from the column “Always”, the task fails and costs nothing. Properties that are not listed here are dropped.

## The interface of a provider

A capability whose provider is not connected or cannot be reached fails with \`provider_unavailable\`, costs nothing, and leaves its quote open. A provider is an HTTP service with three endpoints:

| Request | What it does |
|---|---|
| \`POST {url}/jobs\` | starts a job from \`{taskId, capability, input, callbackUrl}\`, once for each \`taskId\` |
| \`GET {url}/jobs/{jobId}\` | reads a job |
| \`POST {url}/jobs/{jobId}/cancel\` | cancels a job |

Each responds with \`{jobId, status, result?, detail?, retryAfterSeconds?}\`, and so does a callback to \`callbackUrl\`. \`status\` is queued, working, input_required, completed, failed or canceled; \`result\` is present if it is completed. A \`jobId\` has 1 to 200 visible ASCII characters; a response has at most 256 KiB. If a provider responds with 429, the request is retried after its \`Retry-After\`. Requests in both directions are signed as [Standard Webhooks](https://www.standardwebhooks.com/), like the test vector for callbacks.`,
  samples: [],
});

/** Creates the guides of a network, in the order of the overview; a static build has none. */
export const createDeveloperGuides = (site: Site): DeveloperGuide[] => {
  if (!site.dynamic) return [];
  return [
    createSandboxGuide(site),
    createConnectGuide(site),
    createCallbacksGuide(site),
    createVerifyGuide(site),
    createProvidersGuide(),
  ];
};
