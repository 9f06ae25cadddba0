import { z } from 'zod';
import type { Site } from '../site/site.ts';
import type { Snapshot, Subsite } from '../registry/subsite.ts';
import { snapshotData } from '../site/figures.ts';
import { defineArtifact } from './artifact.ts';
import { component } from './components.ts';

/** A public snapshot of a subsite, with its time. */
export const snapshotSchema = component(
  'Snapshot',
  z
    .strictObject({
      name: z.string().describe('Its path after /api/, in kebab-case.'),
      title: z.string().describe('Title.'),
      description: z.string().describe('What it holds, one line.'),
      subsite: z.string().describe('Subsite that publishes it.'),
      generatedAt: z.iso.datetime().describe('When its figures were counted, ISO 8601.'),
      data: z
        .record(z.string(), z.unknown())
        .describe('Written by the subsite or counted from the published records.'),
    })
    .describe('A public JSON snapshot.'),
);

/** The body of a snapshot. */
export function snapshotBody(
  { name: subsite }: Subsite,
  snapshot: Snapshot,
  { registry, generatedAt }: Site,
): z.infer<typeof snapshotSchema> {
  const { path, title, description } = snapshot;
  return {
    name: path.replace(/^\/api\//, '').replaceAll('/', '-'),
    title,
    description,
    subsite,
    generatedAt,
    data: snapshotData(registry, snapshot),
  };
}

/** The public JSON snapshots, each at the path in its subsite’s record. */
export const snapshots = defineArtifact<{ subsite: Subsite; snapshot: Snapshot }>({
  name: 'snapshot',
  description: 'A public JSON snapshot of one subsite.',
  mediaType: 'application/json',
  keys: ({ registry }) =>
    registry.subsites.flatMap((subsite) =>
      (subsite.snapshots ?? []).map((snapshot) => ({ subsite, snapshot })),
    ),
  paths: ({ snapshot }) => [snapshot.path],
  schema: snapshotSchema,
  operation: { id: 'readSnapshot', tag: 'Snapshots', summary: 'Public JSON snapshot' },
  render: ({ subsite, snapshot }, site) => snapshotBody(subsite, snapshot, site),
});
