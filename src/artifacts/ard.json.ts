import { z } from 'zod';
import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { type Site, toMarkdownPath } from '../site/site.ts';
import { listNetworkSkills, skillPath } from './agent-skills.ts';
import { defineDocument } from './artifact.ts';
import { absoluteUrlSchema, registerComponent } from './components.ts';
import { SERVER_CARD_TYPE } from './server-card.ts';

const entrySchema = z
  .strictObject({
    identifier: z
      .string()
      .regex(/^urn:air:[a-zA-Z0-9.-]+:[a-zA-Z0-9._-]+:[a-zA-Z0-9._-]+$/)
      .describe('Stable identifier: urn:air, domain, kind, name.'),
    displayName: z.string().min(1).describe('Display name.'),
    type: z.string().min(1).describe('Media type of the resource at url.'),
    url: absoluteUrlSchema.describe('Resource URL.'),
    description: z.string().min(1).describe('What the resource offers.'),
    tags: z.array(z.string()).optional().describe('Keywords.'),
    representativeQueries: z
      .array(z.string())
      .min(2)
      .max(5)
      .describe('Example requests that the resource can handle.'),
  })
  .describe('One resource.');

const catalogSchema = registerComponent(
  'ArdCatalog',
  z
    .strictObject({
      specVersion: z.literal('1.0').describe('Catalog format version.'),
      host: z
        .strictObject({
          displayName: z.string().describe('Operator.'),
          documentationUrl: absoluteUrlSchema.describe('URL of the developer documentation.'),
        })
        .describe('The publisher of the catalog.'),
      entries: z.array(entrySchema).describe('The resources.'),
    })
    .describe('Agentic Resource Discovery catalog.'),
);

type Entry = z.infer<typeof entrySchema>;

/** Media type of a SKILL.md in a catalog, ARD "Media types". */
const SKILL_TYPE = 'text/markdown; profile="urn:air:agent-skills"';

const DOCUMENT_QUESTIONS = [
  'Which service can help with this?',
  'What does it cost and when is it available?',
];
const NETWORK_QUESTIONS = [...DOCUMENT_QUESTIONS, 'Send a request to the provider for me.'];
const CATALOG_QUESTIONS = [
  'Which capabilities does this network offer?',
  'What input does a capability take?',
];
const KEY_QUESTIONS = [
  'How much would it cost to run this capability?',
  'Run this capability and tell me when it is done.',
];
const SERVER_QUESTIONS = [NETWORK_QUESTIONS, CATALOG_QUESTIONS, KEY_QUESTIONS];

function buildEntries(site: Site): Entry[] {
  const { registry, base, dynamic } = site;
  const { network, subsites } = registry;
  const createIdentifier = (kind: string, name: string) =>
    `urn:air:${new URL(base).hostname}:${kind}:${name}`;
  return [
    {
      identifier: createIdentifier('agent', 'network'),
      displayName: network.name,
      type: 'application/a2a-agent-card+json',
      url: `${base}/.well-known/agent-card.json`,
      description: network.description,
      representativeQueries: dynamic ? NETWORK_QUESTIONS : DOCUMENT_QUESTIONS,
    },
    ...(dynamic ? MCP_ENDPOINTS : []).map(({ path, slug, title, description }, index) => ({
      identifier: createIdentifier('mcp', slug),
      displayName: `${network.name}: ${title}`,
      type: SERVER_CARD_TYPE,
      url: `${base}${path}/server-card`,
      description,
      representativeQueries: SERVER_QUESTIONS[index] ?? NETWORK_QUESTIONS,
    })),
    ...listNetworkSkills(site).map((skill) => ({
      identifier: createIdentifier('skill', skill.name),
      displayName: skill.name.replaceAll('-', ' '),
      type: SKILL_TYPE,
      url: `${base}${skillPath(skill)}`,
      description: skill.description,
      representativeQueries: [...skill.questions],
    })),
    ...subsites
      .filter((subsite) => subsite.status === 'public')
      .map(({ name, title, purpose, url, keywords, questions }) => ({
        identifier: createIdentifier('subsite', name),
        displayName: title,
        type: 'text/markdown',
        url: `${base}${toMarkdownPath(url)}`,
        description: purpose,
        ...(keywords && { tags: [...keywords] }),
        representativeQueries: [...(questions ?? [])],
      })),
  ];
}

/** `/.well-known/ard.json`, Agentic Resource Discovery v0.91, also served at its former path. */
export const ardCatalog = defineDocument({
  name: 'ard',
  description:
    'Agentic Resource Discovery catalog: the agent card, the MCP servers, the skills and every public subsite.',
  mediaType: 'application/json',
  paths: ['/.well-known/ard.json', '/.well-known/ai-catalog.json'],
  schema: catalogSchema,
  operation: {
    id: 'readArdCatalog',
    tag: 'Discovery',
    summary: 'Agentic Resource Discovery catalog',
  },
  render: (site): z.infer<typeof catalogSchema> => ({
    specVersion: '1.0',
    host: {
      displayName: site.registry.network.organization.name,
      documentationUrl: `${site.base}${site.registry.network.agentArea}`,
    },
    entries: buildEntries(site),
  }),
});
