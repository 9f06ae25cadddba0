import { z } from 'zod';
import { listSubsiteCapabilities } from '../site/capability-record.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { digestSubsite } from '../site/digest.ts';
import { subsiteResponsiveness } from '../registry/schemas/responsiveness.ts';
import { defineArtifact } from './artifact.ts';
import { registerComponent, sitePathSchema } from './components.ts';
import { renderSnapshot, snapshotSchema } from './snapshot.ts';
import { toSubsiteRecord, subsiteRecordSchema } from './subsite-record.ts';

const manifestWithDataSchema = registerComponent(
  'SubsiteRecordWithData',
  subsiteRecordSchema
    .extend({
      data: z
        .strictObject({
          snapshots: z
            .record(sitePathSchema, snapshotSchema)
            .describe('Public JSON snapshots by path.'),
          facts: z.array(z.string()).describe('Published facts.'),
          capabilities: z.array(z.string()).describe('Capability IDs in the catalog.'),
          responsiveness: registerComponent('Responsiveness', subsiteResponsiveness)
            .optional()
            .describe(
              'How quickly leads were answered; present once enough leads have been answered.',
            ),
        })
        .describe('Data in addition to the record.'),
    })
    .describe('A subsite, with its snapshots, facts and capabilities.'),
);

/**
 * `/api/agent/{name}?include=data`. A static file has no query, so the document is written to
 * `/api/agent/{name}.data`, and the server maps the query to it.
 */
export const manifestWithData = defineArtifact<Subsite>({
  name: 'manifest-data',
  description: 'The record of one subsite, with its snapshots, facts and capability IDs.',
  mediaType: 'application/json',
  keys: ({ registry }) => registry.subsites,
  paths: ({ name }) => [`/api/agent/${name}.data`],
  digest: (subsite, site) => (subsite.snapshots?.length ? undefined : digestSubsite(site, subsite)),
  schema: manifestWithDataSchema,
  render(subsite, site) {
    const { registry, base } = site;
    const responsiveness = registry.responsiveness[subsite.name];
    return {
      ...toSubsiteRecord(subsite, site),
      data: {
        snapshots: Object.fromEntries(
          (subsite.snapshots ?? []).map((snapshot) => [
            snapshot.path,
            renderSnapshot(subsite, snapshot, site),
          ]),
        ),
        facts: subsite.facts ?? [],
        capabilities: listSubsiteCapabilities(registry, subsite, base).map(
          (capability) => capability.id,
        ),
        ...(responsiveness && { responsiveness }),
      },
    } satisfies z.infer<typeof manifestWithDataSchema>;
  },
});

/** `/api/agent/{name}`: the record of one subsite. */
export const manifest = defineArtifact<Subsite>({
  name: 'manifest',
  description:
    'The record of one subsite: purpose, prices, endpoints, and actions with their fields.',
  mediaType: 'application/json',
  keys: ({ registry }) => registry.subsites,
  paths: ({ name }) => [`/api/agent/${name}`],
  digest: (subsite, site) => digestSubsite(site, subsite),
  schema: subsiteRecordSchema,
  operation: {
    id: 'readSubsite',
    tag: 'Discovery',
    summary: 'The record of one subsite',
    template: { path: '/api/agent/{name}', parameter: 'name', description: 'Subsite name.' },
    variant: {
      artifact: manifestWithData,
      parameter: 'include',
      value: 'data',
      description: 'data adds the subsite’s snapshots, facts and capability IDs.',
    },
    problems: ['unknown_subsite', 'invalid_input'],
  },
  render: toSubsiteRecord,
});
