import { mkdirSync, writeFileSync } from 'node:fs';
import { editorSchema, editorSchemas } from '../registry/schema.ts';
import { quantityOf } from '../site/words/quantity.ts';

// Run by `npm run schemas` after a change to src/registry; a test compares the files with what this
// would write.
mkdirSync('registry/schema', { recursive: true });
for (const name of Object.keys(editorSchemas))
  writeFileSync(`registry/schema/${name}.json`, editorSchema(name));
process.stdout.write(
  `Wrote ${quantityOf(Object.keys(editorSchemas).length, 'schema')} to registry/schema.\n`,
);
