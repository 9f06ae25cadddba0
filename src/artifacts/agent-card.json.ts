import { z } from 'zod';
import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { contractDigest } from '../site/contract.ts';
import type { Site } from '../site/site.ts';
import type { Subsite } from '../registry/subsite.ts';
import { defineArtifact, once } from './artifact.ts';
import { absoluteUrl, component } from './components.ts';

/** Maximum number of skills on the card; the agent index lists every subsite. */
const MAX_SKILLS = 20;
/** Maximum size of a card in UTF-8 bytes, so that a client can show all of it to a model. */
const MAX_BYTES = 9_800;
/** Bytes reserved for a signature, not counting the URL of its key. */
const SIGNATURE_BYTES = 320;

const text = z.string().min(1);

const agentCardSchema = component(
  'AgentCard',
  z
    .strictObject({
      name: text.describe('Name of the agent.'),
      description: text.describe('What it offers.'),
      supportedInterfaces: z
        .array(
          z.strictObject({
            url: absoluteUrl.describe('Where the interface is.'),
            protocolBinding: z.enum(['JSONRPC', 'HTTP+JSON']).describe('Protocol binding.'),
            protocolVersion: z.literal('1.0').describe('A2A version.'),
          }),
        )
        .describe(
          'A2A interfaces, the preferred one first; empty where only documents are served.',
        ),
      provider: z
        .strictObject({
          organization: text.describe('Operator.'),
          url: absoluteUrl.describe('Its site.'),
        })
        .describe('Who provides the agent.'),
      version: text.describe('Version of the agent.'),
      documentationUrl: absoluteUrl.describe('The agent services area.'),
      capabilities: z
        .strictObject({
          streaming: z.boolean().describe('Whether answers are streamed.'),
          pushNotifications: z.boolean().describe('Whether updates are pushed.'),
          extendedAgentCard: z.boolean().describe('Whether a caller with a key gets another card.'),
          extensions: z
            .array(
              z.strictObject({
                uri: absoluteUrl.describe('What identifies the extension.'),
                description: text.describe('How this agent uses it.'),
                required: z.boolean().describe('Whether a client must know it.'),
                params: z.record(z.string(), z.unknown()).describe('Where it is.'),
              }),
            )
            .describe('Other ways to the same network.'),
        })
        .describe('What the agent supports.'),
      defaultInputModes: z.array(text).min(1).describe('Media types taken.'),
      defaultOutputModes: z.array(text).min(1).describe('Media types answered.'),
      skills: z
        .array(
          z.strictObject({
            id: text.describe('Id of the skill.'),
            name: text.describe('Its name.'),
            description: text.describe('What it does.'),
            tags: z
              .array(text)
              .min(1)
              .describe(
                'Words that describe it; for a skill of one action also contract: and the digest of its contract.',
              ),
            examples: z.array(text).optional().describe('What a person might ask.'),
          }),
        )
        .min(1)
        .max(MAX_SKILLS)
        .describe('What the agent is good at.'),
      signatures: z
        .array(
          z.strictObject({
            protected: text.describe('Protected header, base64url; its jku says where the key is.'),
            signature: text.describe('Signature, base64url.'),
          }),
        )
        .optional()
        .describe(
          'JWS (RFC 7515) over the canonical JSON (RFC 8785) of the card without this member; absent where no key is configured.',
        ),
    })
    .describe('A2A 1.0 agent card.'),
);

type AgentCard = z.infer<typeof agentCardSchema>;

/** A skill for one action names its contract; others cover several actions. */
const contractTag = (subsite: Subsite): string[] =>
  subsite.actions.length === 1 ? [`contract:${contractDigest(subsite, subsite.actions[0]!)}`] : [];

const skill = (subsite: Subsite, dynamic: boolean): AgentCard['skills'][number] => {
  const { name, title, purpose, category, keywords = [], questions = [] } = subsite;
  return {
    id: name,
    name: title,
    description: purpose,
    tags: [
      ...(keywords.length ? keywords.slice(0, 3) : [category]),
      ...(dynamic ? contractTag(subsite) : []),
    ],
    ...(questions[0] && { examples: [questions[0]] }),
  };
};

/** Public subsites: first those in the capability catalog, then those with an action. */
function subsitesForCard({ registry }: Site): Subsite[] {
  const rank = (subsite: Subsite) => (subsite.capabilities ? 0 : subsite.actions.length ? 1 : 2);
  const open = registry.subsites.filter((subsite) => subsite.status === 'public');
  return [0, 1, 2]
    .flatMap((wanted) => open.filter((subsite) => rank(subsite) === wanted))
    .slice(0, MAX_SKILLS);
}

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** `/.well-known/agent-card.json`, A2A 1.0 (specification/a2a.proto, AgentCard). */
export const agentCard = defineArtifact<null>({
  name: 'agent-card',
  description: 'A2A 1.0 agent card: interfaces, skills and the other ways to the network.',
  mediaType: 'application/json',
  keys: once,
  paths: () => ['/.well-known/agent-card.json'],
  schema: agentCardSchema,
  signed: true,
  operation: { id: 'readAgentCard', tag: 'Discovery', summary: 'Agent discovery card' },
  render(_, site) {
    const { registry, base, dynamic } = site;
    const { network } = registry;
    const card: AgentCard = {
      name: network.name,
      description: network.description,
      supportedInterfaces: dynamic
        ? (['JSONRPC', 'HTTP+JSON'] as const).map((protocolBinding) => ({
            url: `${base}/a2a/v1`,
            protocolBinding,
            protocolVersion: '1.0',
          }))
        : [],
      provider: { organization: network.organization.name, url: base },
      version: network.version,
      documentationUrl: `${base}${network.agentArea}`,
      capabilities: {
        streaming: dynamic,
        pushNotifications: dynamic,
        extendedAgentCard: false,
        extensions: [
          ...(dynamic
            ? [
                {
                  uri: 'https://modelcontextprotocol.io',
                  description: 'The same network as MCP servers over Streamable HTTP.',
                  required: false,
                  params: {
                    servers: MCP_ENDPOINTS.map(({ path, bearer }) => ({
                      url: `${base}${path}`,
                      serverCard: `${base}${path}/server-card`,
                      bearer,
                    })),
                  },
                },
              ]
            : []),
          {
            uri: 'https://spec.openapis.org/oas/v3.1.0',
            description:
              'The same network as an HTTP interface, described with OpenAPI. The skills of this card are a selection; index lists every subsite, and A2A answers for all of them.',
            required: false,
            params: {
              document: `${base}/api/openapi.json`,
              index: `${base}/api/agent-index`,
              capabilities: `${base}/api/v1/capabilities`,
            },
          },
        ],
      },
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['application/json', 'text/plain'],
      skills: [],
    };
    let size = bytes(card) + (site.cardKey ? SIGNATURE_BYTES + 2 * base.length : 0);
    for (const subsite of subsitesForCard(site)) {
      const next = skill(subsite, dynamic);
      size += bytes(next) + 1;
      if (size > MAX_BYTES) break;
      card.skills.push(next);
    }
    return card;
  },
});
