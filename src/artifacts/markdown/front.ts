import { MCP_ENDPOINTS } from '../../site/developer/mcp-endpoints.ts';
import type { SitePage } from '../../site/pages-of-site.ts';
import { sortByRank } from '../../site/registry.ts';
import { type Site, toMarkdownPath } from '../../site/site.ts';
import { categories } from '../../site/words/record-words.ts';
import { renderMarkdownLink } from './parts.ts';

/**
 * Maximum size of the front page’s Markdown in bytes, without front matter; about 1,400 tokens.
 * Services that do not fit are counted but not named.
 */
const MAX_BYTES = 5400;

const renderUsage = ({ base, dynamic }: Site): string[] =>
  dynamic
    ? [
        '## How to request a service',
        [
          `1. Find: \`GET ${base}/api/find?q=need+in+plain+words\` returns matching services with prices. The best match includes the JSON Schema of the body to submit. If nobody here offers the service, the response says so.`,
          `2. Submit: \`POST ${base}/api/lead/action\` with that body and an \`Idempotency-Key\`. It is free and needs no key; \`"sandbox": true\` stores nothing. A receipt is not a confirmed booking or payment.`,
          '3. Wait: \`GET\` the receipt’s \`statusUrl\` with \`?wait=60\` and the last ETag as \`If-None-Match\`; it responds the next time the request changes.',
        ].join('\n'),
      ]
    : [];

const renderDocumentList = ({ base, dynamic }: Site): string => {
  const documents: [string, string][] = [
    ['Agent index', '/api/agent-index'],
    ['OpenAPI', '/api/openapi.json'],
    ['Capabilities', '/api/v1/capabilities'],
    ['Knowledge', '/api/v1/knowledge'],
  ];
  if (dynamic)
    documents.push(
      ['A2A card', '/.well-known/agent-card.json'],
      ...MCP_ENDPOINTS.slice(0, 1).map(({ path }): [string, string] => [
        'MCP',
        `${path}/server-card`,
      ]),
    );
  return `More: ${documents.map(([title, path]) => renderMarkdownLink(title, `${base}${path}`)).join(', ')}.`;
};

/** The front page for software: how to request a service, and as many service names as fit. */
export function renderFrontMarkdown(
  { title, description }: Extract<SitePage, { kind: 'front' }>,
  site: Site,
): string {
  const { registry, base } = site;
  const parts = [`# ${title}`, `> ${description}`, ...renderUsage(site), renderDocumentList(site)];
  let size = Buffer.byteLength(parts.join('\n\n'));
  for (const [category, heading] of Object.entries(categories)) {
    const links = sortByRank(registry.subsites)
      .filter((subsite) => subsite.category === category)
      .map(
        (subsite) =>
          `${renderMarkdownLink(subsite.title, `${base}${toMarkdownPath(subsite.url)}`)}${subsite.status === 'auth' ? ' (account)' : ''}`,
      );
    const includedLinks = links.filter(
      (linkLine) => (size += Buffer.byteLength(linkLine) + 2) <= MAX_BYTES,
    );
    const omittedCount = links.length - includedLinks.length;
    if (omittedCount)
      includedLinks.push(renderMarkdownLink(`${omittedCount} more`, `${base}/llms.txt`));
    if (links.length) parts.push(`## ${heading}`, `${includedLinks.join(', ')}.`);
  }
  return parts.join('\n\n');
}
