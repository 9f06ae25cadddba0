import { listOperations } from '../../http/operations.ts';
import { problemAdvice } from '../../operation/problem-advice.ts';
import type { ProblemCode } from '../../operation/problem.ts';
import type { CapabilityRecord } from '../../site/capability-record.ts';
import { findAction, findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import type { SitePage } from '../../site/pages-of-site.ts';
import { renderMarkdownLink, renderMarkdownSection } from './parts.ts';
import { renderRequestBody } from './request-body.ts';

const renderJsonBlock = (value: unknown): string =>
  `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** A capability as Markdown: description, input schema, price, limits, and how to call it. */
export function renderCapability(site: Site, capability: CapabilityRecord): string[] {
  const { registry, base, dynamic } = site;
  const { id, version, title, description, inputSchema, pricing, limitations, evidence, action } =
    capability;
  const subsite = findSubsite(registry, capability.subsite ?? '');
  const ownAction = subsite && action ? findAction(subsite, action) : undefined;
  const quoteInstructions =
    pricing.kind === 'quote'
      ? ` Get a quote: \`POST ${base}/api/v1/quotes\` with \`{"capability": "${id}", "input": …}\`, and send its \`quoteId\`, or your maximum price as \`maxAmount\`, or both.`
      : '';
  return [
    `# ${title}`,
    `> ${description}`,
    [
      `- ID: \`${id}\`, version ${version}`,
      ...(subsite
        ? [`- Belongs to: ${renderMarkdownLink(subsite.title, `${base}${subsite.url}`)}`]
        : []),
      `- Price: ${pricing.description}`,
    ].join('\n'),
    ...(dynamic
      ? [
          '## Call it',
          `\`POST ${base}/api/v1/tasks\` with a bearer key and an \`Idempotency-Key\`: \`{"capability": "${id}", "input": …}\`.${quoteInstructions}`,
        ]
      : []),
    ...(dynamic && subsite && ownAction
      ? [
          `Without a key: \`POST ${base}${subsite.leadEndpoint}\` with \`${renderRequestBody(subsite, ownAction)}\`; \`"sandbox": true\` validates it without storing anything.`,
        ]
      : []),
    '## Input',
    'JSON Schema 2020-12. Other properties are rejected.',
    renderJsonBlock(inputSchema),
    ...renderMarkdownSection(
      'Limits',
      limitations.map((limit) => `- ${limit}`),
    ),
    ...renderMarkdownSection(
      'Evidence',
      evidence.map((url) => `- <${url}>`),
    ),
  ];
}

/** The API reference as Markdown: a list of operations. The OpenAPI document has the schemas. */
export function renderApiReference(
  site: Site,
  { title, description }: { title: string; description: string },
): string[] {
  const lines = (site.dynamic ? listOperations(site) : []).map(
    ({ method, path, summary, requiresKey: bearer }) =>
      `- \`${method} ${path}\`: ${summary}${bearer ? ' (bearer key)' : ''}`,
  );
  return [
    `# ${title}`,
    `> ${description}`,
    `Schemas, examples, problems and all documents are in ${renderMarkdownLink('the OpenAPI 3.1 document', `${site.base}/api/openapi.json`)}.`,
    ...renderMarkdownSection('Operations', lines),
  ];
}

/** A problem type as Markdown, for agents that follow its `type` URL (RFC 9457, section 3.1.1). */
export function renderProblem(
  { registry, base }: Site,
  { title, description, code, status }: Extract<SitePage, { kind: 'problem' }>,
): string[] {
  const { explanation, steps, retry } = problemAdvice[code as ProblemCode];
  const { organization, agentArea } = registry.network;
  return [
    `# ${title}`,
    `> ${description}`,
    [
      `- Code: \`${code}\``,
      `- HTTP status: ${status}`,
      `- Retry: ${retry ? 'yes, after a wait' : 'only after a change'}`,
    ].join('\n'),
    ...renderMarkdownSection('What happened', [explanation]),
    ...renderMarkdownSection(
      'What to do',
      steps.map((step, index) => `${index + 1}. ${step}`),
    ),
    `The endpoints and their responses are in ${renderMarkdownLink('the API reference', `${base}${agentArea}/api.md`)}. Send questions to <mailto:${organization.email}>.`,
  ];
}
