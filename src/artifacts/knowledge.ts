import { z } from 'zod';
import { defineArtifact, once } from './artifact.ts';
import { absoluteUrl, component } from './components.ts';

const knowledgeSchema = component(
  'Knowledge',
  z
    .strictObject({
      version: z.literal('1').describe('Version of this document.'),
      generatedAt: z.iso.datetime().describe('When it was made, ISO 8601.'),
      entries: z
        .array(
          z.strictObject({
            subsite: z.string().describe('Name of the subsite.'),
            title: z.string().describe('Its title.'),
            summary: z.string().describe('What a person gets there.'),
            facts: z.array(z.string()).describe('Published statements that can be checked.'),
            guide: z
              .array(
                z.strictObject({
                  title: z.string().describe('What the step does.'),
                  text: z.string().describe('How to do it.'),
                }),
              )
              .describe('Steps to do or choose it oneself; may be empty.'),
            url: absoluteUrl.describe('Its page.'),
            evidence: z.array(absoluteUrl).describe('Where the facts are published.'),
          }),
        )
        .describe('One entry for each subsite that publishes facts or a guide.'),
    })
    .describe('What the network knows: facts and guides.'),
);

/** `/api/v1/knowledge`: the facts and guides behind the answers. */
export const knowledge = defineArtifact<null>({
  name: 'knowledge',
  description:
    'The published facts and guides of every subsite, each with the pages that back it. It is one document and takes no query, which the service refuses and a static copy ignores: the MCP tool ask_knowledge finds the passages nearest to a question.',
  mediaType: 'application/json',
  keys: once,
  paths: () => ['/api/v1/knowledge'],
  schema: knowledgeSchema,
  operation: { id: 'readKnowledge', tag: 'Catalog', summary: 'Published facts and guides' },
  render: (_, { registry, base, generatedAt }): z.infer<typeof knowledgeSchema> => ({
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
