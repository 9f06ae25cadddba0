import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Network } from '../registry/schemas/network.ts';
import { type Site, toMarkdownPath, withBase } from '../site/site.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { digestSubsite } from '../site/digest.ts';
import { createEmergencyNotice } from '../site/emergency.ts';
import { isPublishedAsSkill } from '../site/registry.ts';
import { defineArtifact, defineDocument } from './artifact.ts';
import { registerComponent, sitePathSchema } from './components.ts';
import { renderRequestBody } from './markdown/request-body.ts';

/** A skill from the network record, or the guide of a subsite. */
type Skill = Pick<Network['skills'][number], 'name' | 'description' | 'body'> & {
  subsite?: Subsite;
};

export const skillPath = ({ name }: Pick<Skill, 'name'>): string =>
  `/.well-known/agent-skills/${name}/SKILL.md`;

/** agentskills.io limits descriptions to 1,024 characters. */
const MAX_QUESTIONS = 3;

function buildSubsiteSkill(site: Site, subsite: Subsite): Skill {
  const { name, title, purpose, questions = [], guide = [], actions, leadEndpoint } = subsite;
  const emergency = createEmergencyNotice(subsite, site.registry);
  const questionText = questions.slice(0, MAX_QUESTIONS).join(' ');
  const requestSection = `## Send a request\n\n\`POST {base}${leadEndpoint}\` with \`${renderRequestBody(subsite)}\`; the [record]({base}/api/agent/${name}) lists the verbs and fields of its actions. Add \`"sandbox": true\` to test a request without storing it. Ask the person before you send anything, and explain that a receipt is not a booking.`;
  return {
    name,
    description: `${purpose}${questionText && ` Use it for questions like: ${questionText}`}`,
    body: [
      `# ${title}`,
      `> ${purpose}`,
      ...(emergency === undefined ? [] : [emergency]),
      '## Steps',
      guide.map((step, index) => `${index + 1}. **${step.title}**: ${step.text}`).join('\n'),
      `Prices, area, hours and facts: [${title}]({base}${toMarkdownPath(subsite.url)}).`,
      ...(site.dynamic && actions.length ? [requestSection] : []),
    ].join('\n\n'),
    subsite,
  };
}

/** The skills in the network record; a static build omits skills that need the server. */
export const listNetworkSkills = ({ registry, dynamic }: Site): Network['skills'] =>
  registry.network.skills.filter((skill) => dynamic || !skill.dynamic);

/** The skills in the network record, then one for each public subsite with a guide. */
const listSkills = (site: Site): readonly Skill[] => [
  ...listNetworkSkills(site),
  ...site.registry.subsites
    .filter(isPublishedAsSkill)
    .map((subsite) => buildSubsiteSkill(site, subsite)),
];

// A JSON string is a valid YAML double-quoted scalar.
const renderSkillFile = ({ name, description, body }: Skill, { base }: Site): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${withBase(body, base).trim()}\n`;

/** `/.well-known/agent-skills/{name}/SKILL.md`, agentskills.io: front matter and instructions. */
export const skillFiles = defineArtifact<Skill>({
  name: 'agent-skill',
  description: 'One agent skill: front matter and instructions in Markdown.',
  mediaType: 'text/markdown; charset=utf-8',
  keys: listSkills,
  paths: (skill) => [skillPath(skill)],
  operation: {
    id: 'readSkill',
    tag: 'Discovery',
    summary: 'One agent skill',
    template: {
      path: '/.well-known/agent-skills/{skill}/SKILL.md',
      parameter: 'skill',
      description: 'Skill name.',
    },
  },
  digest: ({ subsite }, site) => subsite && digestSubsite(site, subsite),
  render: renderSkillFile,
});

const skillIndexSchema = registerComponent(
  'AgentSkillsIndex',
  z
    .strictObject({
      $schema: z
        .literal('https://schemas.agentskills.io/discovery/0.2.0/schema.json')
        .describe('Schema of the index format.'),
      skills: z
        .array(
          z.strictObject({
            name: z
              .string()
              .max(64)
              .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
              .describe('Skill name.'),
            type: z.literal('skill-md').describe('The skill is a single SKILL.md file.'),
            description: z
              .string()
              .min(1)
              .max(1024)
              .describe('What the skill does and when to use it.'),
            url: sitePathSchema.describe('URL of the SKILL.md file.'),
            digest: z
              .string()
              .regex(/^sha256:[0-9a-f]{64}$/)
              .describe('SHA-256 digest of the file at url.'),
          }),
        )
        .describe('The skills.'),
    })
    .describe('Index of agent skills.'),
);

/** `/.well-known/agent-skills/index.json`, Agent Skills discovery 0.2.0. */
export const skillIndex = defineDocument({
  name: 'agent-skills',
  description: 'The agent skills, with their digests.',
  mediaType: 'application/json',
  paths: ['/.well-known/agent-skills/index.json'],
  schema: skillIndexSchema,
  operation: { id: 'listSkills', tag: 'Discovery', summary: 'Index of agent skills' },
  render: (site): z.infer<typeof skillIndexSchema> => ({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: listSkills(site).map((skill) => ({
      name: skill.name,
      type: 'skill-md',
      description: skill.description,
      url: skillPath(skill),
      digest: `sha256:${createHash('sha256').update(renderSkillFile(skill, site)).digest('hex')}`,
    })),
  }),
});
