import { DEFAULT_RATE_LIMITS_TEXT } from '../site/default-rate-limits.ts';
import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { describeTimeZone } from '../site/calendar/time-zone-text.ts';
import { pagesOfSite, type SitePage } from '../site/pages-of-site.ts';
import { type Site, toMarkdownPath } from '../site/site.ts';
import { categories } from '../site/words/record-words.ts';
import { defineDocument } from './artifact.ts';
import { renderMarkdownLink } from './markdown/parts.ts';

/** Maximum length in characters; the agent index has the rest. */
const MAX_CHARACTERS = 49_000;

const renderSendSection = (base: string): string =>
  [
    `\`GET ${base}/api/find?q=need+in+plain+words\` returns matching services, each with its \`manifest\`. The best match includes the JSON Schema of the body for \`POST ${base}/api/lead/action\`. \`"sandbox": true\` validates a request without storing it. An \`Idempotency-Key\` header of 16 to 255 characters, such as a UUID, makes retries safe.`,
    'A receipt is not a confirmed booking or payment. A GET of its `statusUrl` with `?wait=60` and the last ETag as `If-None-Match` returns the next time the request changes.',
  ].join(' ');

interface Section {
  heading: string;
  lines: readonly string[];
}

function renderAgentLines({ base, dynamic }: Site): string[] {
  const documents: [string, string, string][] = [
    ['Agent index', '/api/agent-index', 'every subsite, with its record, actions and prices'],
    [
      'Capability catalog',
      '/api/v1/capabilities',
      'every capability, with the JSON Schema of its input',
    ],
    ['Knowledge', '/api/v1/knowledge', 'published facts and guides'],
    ['OpenAPI 3.1', '/api/openapi.json', 'the endpoints, with requests, responses and problems'],
    ['A2A agent card', '/.well-known/agent-card.json', 'skills and A2A interfaces'],
    ['Agent skills', '/.well-known/agent-skills/index.json', 'instructions to load as needed'],
    ['llms-full.txt', '/llms-full.txt', 'the text of the pages in one file'],
    ...(dynamic
      ? MCP_ENDPOINTS.map(({ path, title, description }): [string, string, string] => [
          `MCP: ${title}`,
          `${path}/server-card`,
          description,
        ])
      : []),
  ];
  return documents.map(
    ([title, path, description]) =>
      `- ${renderMarkdownLink(title, `${base}${path}`)}: ${description}`,
  );
}

function buildSections(site: Site): Section[] {
  const pages = pagesOfSite(site);
  const renderPageLines = (isIncluded: (page: SitePage) => boolean) =>
    pages
      .filter(isIncluded)
      .map(
        (page) =>
          `- ${renderMarkdownLink(page.title, `${site.base}${toMarkdownPath(page.path)}`)}: ${page.description}`,
      );
  const renderCategoryLines = (category: string) =>
    renderPageLines(
      (page) =>
        page.kind === 'subsite' &&
        page.subsite.status === 'public' &&
        page.subsite.category === category,
    );
  return [
    { heading: 'For agents', lines: renderAgentLines(site) },
    ...Object.entries(categories).map(([category, heading]) => ({
      heading,
      lines: renderCategoryLines(category),
    })),
    {
      heading: 'Pages',
      lines: renderPageLines(
        (page) =>
          page.kind === 'page' ||
          page.kind === 'front' ||
          page.kind === 'agentArea' ||
          page.kind === 'apiReference' ||
          page.kind === 'guide',
      ),
    },
    {
      heading: 'With an account',
      lines: renderPageLines((page) => page.kind === 'subsite' && page.subsite.status === 'auth'),
    },
    {
      heading: 'Capabilities',
      lines: renderPageLines((page) => page.kind === 'capability' && page.indexable),
    },
    {
      heading: 'Optional',
      lines: renderPageLines((page) => page.kind === 'item' && page.indexable),
    },
  ];
}

/** `/llms.txt`, llmstxt.org: a heading, a summary, and links to the Markdown of the pages. */
export const llmsTxt = defineDocument({
  name: 'llms-txt',
  description: 'A summary of the network with links to the Markdown of its pages.',
  mediaType: 'text/plain; charset=utf-8',
  paths: ['/llms.txt'],
  operation: {
    id: 'readLlmsTxt',
    tag: 'Discovery',
    summary: 'A summary of the network for language models',
  },
  render(site) {
    const { name, description, timeZone } = site.registry.network;
    const head = [
      `# ${name}`,
      `> ${description}`,
      [
        'Reading requires no key.',
        describeTimeZone(timeZone),
        ...(site.dynamic ? [renderSendSection(site.base), DEFAULT_RATE_LIMITS_TEXT] : []),
        'Remove `.md` from a link to open the page; the page for `/index.md` is `/`.',
      ].join(' '),
    ].join('\n\n');
    let size = head.length;
    const parts: string[] = [head];
    for (const { heading, lines } of buildSections(site)) {
      const includedLines: string[] = [];
      for (const line of lines) {
        if (size + line.length > MAX_CHARACTERS) break;
        size += line.length + 1;
        includedLines.push(line);
      }
      if (includedLines.length < lines.length)
        includedLines.push(
          `- ${renderMarkdownLink(`${lines.length - includedLines.length} more`, `${site.base}/api/agent-index`)}: in the agent index`,
        );
      size += heading.length + 7;
      if (includedLines.length) parts.push(`## ${heading}\n\n${includedLines.join('\n')}`);
    }
    return `${parts.join('\n\n')}\n`;
  },
});
