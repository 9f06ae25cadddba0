import { mkdirSync, writeFileSync } from 'node:fs';
import { editorSchema, editorSchemas } from '../registry/schemas/schema.ts';
import { formatQuantity } from '../site/words/quantity.ts';

// `npm run schemas` runs this after a change to src/registry; a test checks that the files are up
// to date.
mkdirSync('registry/schema', { recursive: true });
for (const name of Object.keys(editorSchemas))
  writeFileSync(`registry/schema/${name}.json`, editorSchema(name));
process.stdout.write(
  `Wrote ${formatQuantity(Object.keys(editorSchemas).length, 'schema')} to registry/schema.\n`,
);
