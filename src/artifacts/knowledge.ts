import { z } from 'zod';
import { defineDocument } from './artifact.ts';
import { absoluteUrlSchema, registerComponent } from './components.ts';

const knowledgeSchema = registerComponent(
  'Knowledge',
  z
    .strictObject({
      version: z.literal('1').describe('Document version.'),
      generatedAt: z.iso.datetime().describe('Build time, ISO 8601.'),
      entries: z
        .array(
          z.strictObject({
            subsite: z.string().describe('Subsite name.'),
            title: z.string().describe('Its title.'),
            summary: z.string().describe('What the subsite offers.'),
            facts: z.array(z.string()).describe('Published facts.'),
            guide: z
              .array(
                z.strictObject({
                  title: z.string().describe('Step title.'),
                  text: z.string().describe('Instructions for the step.'),
                }),
              )
              .describe('Self-help steps; may be empty.'),
            url: absoluteUrlSchema.describe('Its page.'),
            evidence: z.array(absoluteUrlSchema).describe('URLs where the facts are published.'),
          }),
        )
        .describe('One entry for each subsite that publishes facts or a guide.'),
    })
    .describe('The network’s facts and guides.'),
);

/** `/api/v1/knowledge`: the facts and guides of every subsite. */
export const knowledge = defineDocument({
  name: 'knowledge',
  description:
    'The published facts and guides of every subsite, each with its sources. The document takes no query parameters. To find the passages that best match a question, call the MCP tool ask_knowledge.',
  mediaType: 'application/json',
  paths: ['/api/v1/knowledge'],
  schema: knowledgeSchema,
  operation: { id: 'readKnowledge', tag: 'Catalog', summary: 'Published facts and guides' },
  render: ({ registry, base, generatedAt }): z.infer<typeof knowledgeSchema> => ({
    version: '1',
    generatedAt,
    entries: registry.subsites
      .filter(({ facts, guide }) => facts?.length || guide?.length)
      .map(({ name, title, purpose, url, facts = [], guide = [] }) => ({
        subsite: name,
        title,
        summary: purpose,
        facts,
        guide,
        url: `${base}${url}`,
        evidence: [`${base}${url}`, `${base}/api/agent/${name}`],
      })),
  }),
});
