import { z } from 'zod';
import { MCP_ENDPOINTS } from '../site/developer/mcp-endpoints.ts';
import { digestContract } from '../site/contract.ts';
import type { Site } from '../site/site.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { defineDocument } from './artifact.ts';
import { absoluteUrlSchema, registerComponent } from './components.ts';

/** Maximum number of skills on the card; the agent index lists every subsite. */
const MAX_SKILLS = 20;
/** Maximum size in UTF-8 bytes, so that a client can pass the whole card to a model. */
const MAX_BYTES = 9_800;
/** Bytes reserved for a signature, not counting the URL of its key. */
const SIGNATURE_BYTES = 320;

const textSchema = z.string().min(1);

const agentCardSchema = registerComponent(
  'AgentCard',
  z
    .strictObject({
      name: textSchema.describe('Agent name.'),
      description: textSchema.describe('What the agent offers.'),
      supportedInterfaces: z
        .array(
          z.strictObject({
            url: absoluteUrlSchema.describe('Interface URL.'),
            protocolBinding: z.enum(['JSONRPC', 'HTTP+JSON']).describe('Protocol binding.'),
            protocolVersion: z.literal('1.0').describe('A2A version.'),
          }),
        )
        .describe(
          'A2A interfaces, in order of preference; empty if the site serves only documents.',
        ),
      provider: z
        .strictObject({
          organization: textSchema.describe('Operator.'),
          url: absoluteUrlSchema.describe('Its site.'),
        })
        .describe('The organization that provides the agent.'),
      version: textSchema.describe('Agent version.'),
      documentationUrl: absoluteUrlSchema.describe('URL of the developer documentation.'),
      capabilities: z
        .strictObject({
          streaming: z.boolean().describe('True if the agent streams responses.'),
          pushNotifications: z.boolean().describe('True if the agent sends push notifications.'),
          extendedAgentCard: z
            .boolean()
            .describe('True if callers with a key get an extended card.'),
          extensions: z
            .array(
              z.strictObject({
                uri: absoluteUrlSchema.describe('URI that identifies the extension.'),
                description: textSchema.describe('How the agent uses the extension.'),
                required: z.boolean().describe('True if a client must support the extension.'),
                params: z
                  .record(z.string(), z.unknown())
                  .describe('Parameters of the extension, such as the URL of its description.'),
              }),
            )
            .describe('Other interfaces to the same network.'),
        })
        .describe('Supported protocol features.'),
      defaultInputModes: z.array(textSchema).min(1).describe('Accepted media types.'),
      defaultOutputModes: z.array(textSchema).min(1).describe('Response media types.'),
      skills: z
        .array(
          z.strictObject({
            id: textSchema.describe('Skill id.'),
            name: textSchema.describe('Its name.'),
            description: textSchema.describe('What the skill does.'),
            tags: z
              .array(textSchema)
              .min(1)
              .describe(
                'Keywords; a skill with exactly one action also has contract: followed by the contract digest.',
              ),
            examples: z.array(textSchema).optional().describe('Example requests.'),
          }),
        )
        .min(1)
        .max(MAX_SKILLS)
        .describe('The agent’s skills.'),
      signatures: z
        .array(
          z.strictObject({
            protected: textSchema.describe(
              'Protected header, base64url; its jku is the URL of the key set.',
            ),
            signature: textSchema.describe('Signature, base64url.'),
          }),
        )
        .optional()
        .describe(
          'JWS (RFC 7515) over the canonical JSON (RFC 8785) of the card without this member; absent if no signing key is configured.',
        ),
    })
    .describe('A2A 1.0 agent card.'),
);

type AgentCard = z.infer<typeof agentCardSchema>;

/** Only a skill with exactly one action can name a contract. */
const contractTagsOf = (subsite: Subsite): string[] =>
  subsite.actions.length === 1 ? [`contract:${digestContract(subsite, subsite.actions[0]!)}`] : [];

const describeSkill = (subsite: Subsite, dynamic: boolean): AgentCard['skills'][number] => {
  const { name, title, purpose, category, keywords = [], questions = [] } = subsite;
  return {
    id: name,
    name: title,
    description: purpose,
    tags: [
      ...(keywords.length ? keywords.slice(0, 3) : [category]),
      ...(dynamic ? contractTagsOf(subsite) : []),
    ],
    ...(questions[0] && { examples: [questions[0]] }),
  };
};

/** Public subsites: first those in the capability catalog, then the others with an action. */
function selectSubsitesForCard({ registry }: Site): Subsite[] {
  const rankOf = (subsite: Subsite) => (subsite.capabilities ? 0 : subsite.actions.length ? 1 : 2);
  const publicSubsites = registry.subsites.filter((subsite) => subsite.status === 'public');
  return [0, 1, 2]
    .flatMap((expectedRank) => publicSubsites.filter((subsite) => rankOf(subsite) === expectedRank))
    .slice(0, MAX_SKILLS);
}

const jsonByteLengthOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** `/.well-known/agent-card.json`, A2A 1.0 (specification/a2a.proto, AgentCard). */
export const agentCard = defineDocument({
  name: 'agent-card',
  description:
    'A2A 1.0 agent card: the interfaces, the skills, and the network’s other interfaces.',
  mediaType: 'application/json',
  paths: ['/.well-known/agent-card.json'],
  schema: agentCardSchema,
  signed: true,
  operation: { id: 'readAgentCard', tag: 'Discovery', summary: 'Agent discovery card' },
  render(site) {
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
                  description: 'The same network, as MCP servers over Streamable HTTP.',
                  required: false,
                  params: {
                    servers: MCP_ENDPOINTS.map(({ path, requiresKey: bearer }) => ({
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
            description: [
              'The same network, as an HTTP interface described with OpenAPI. The skills on this card are a selection: the agent index (`index`) lists every subsite, and the A2A interface serves all of them.',
              // The SDK leaves securitySchemes out of the text that a card’s signature covers.
              ...(dynamic
                ? [
                    'Push notifications need a bearer key with the callbacks scope; everything else over A2A works without one.',
                  ]
                : []),
            ].join(' '),
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
    let size = jsonByteLengthOf(card) + (site.cardKey ? SIGNATURE_BYTES + 2 * base.length : 0);
    for (const subsite of selectSubsitesForCard(site)) {
      const skill = describeSkill(subsite, dynamic);
      size += jsonByteLengthOf(skill) + 1;
      if (size > MAX_BYTES) break;
      card.skills.push(skill);
    }
    return card;
  },
});
