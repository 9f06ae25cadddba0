import { z } from 'zod';
import type { Site } from '../site/site.ts';
import type { Snapshot, Subsite } from '../registry/schemas/subsite.ts';
import { createSnapshotData } from '../site/figures.ts';
import { defineArtifact } from './artifact.ts';
import { registerComponent } from './components.ts';

export const snapshotSchema = registerComponent(
  'Snapshot',
  z
    .strictObject({
      name: z.string().describe('Path after /api/, in kebab-case.'),
      title: z.string().describe('Title.'),
      description: z.string().describe('One-line description.'),
      subsite: z.string().describe('Subsite that publishes the snapshot.'),
      generatedAt: z.iso.datetime().describe('When the data was collected, ISO 8601.'),
      data: z
        .record(z.string(), z.unknown())
        .describe(
          'Whether the subsite wrote the data or the build computed it from published records.',
        ),
    })
    .describe('A public JSON snapshot.'),
);

export function renderSnapshot(
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
    data: createSnapshotData(registry, snapshot),
  };
}

/** The public JSON snapshots, each at the path named in its subsite’s record. */
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
  render: ({ subsite, snapshot }, site) => renderSnapshot(subsite, snapshot, site),
});
