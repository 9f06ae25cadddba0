import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { Command } from 'commander';
import { registryFaults, serverJson, type ServerJson } from '../artifacts/server.json.ts';
import { renderDocument } from '../artifacts/index.ts';
import { buildSite } from '../build-site.ts';
import { RegistryError } from '../registry/index.ts';

const program = new Command('npm run server-json --')
  .description('Checks the entries for the MCP registry as it does, for SITE_URL and REGISTRY_DIR, and prints every fault. Exits 1 when there is one.')
  .option('--schema <file>', 'a copy of the registry’s server.schema.json to check against too')
  .option('--write <folder>', 'write each entry into this folder, for mcp-publisher')
  .addHelpText('after', '\nExample:\n  SITE_URL=https://example.com npm run server-json -- --write dist/mcp-registry')
  .parse();

const { schema, write } = program.opts<{ schema?: string; write?: string }>();

/** A check against the registry's own schema (JSON Schema draft-07). */
function schemaFaults(file: string): (entry: unknown) => string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  return (entry) => (validate(entry) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'}: ${message}.`));
}

try {
  const site = buildSite();
  const check = schema === undefined ? () => [] : schemaFaults(schema);
  for (const key of serverJson.keys(site)) {
    const [path] = serverJson.paths(key, site);
    const text = renderDocument(serverJson, key, site);
    const entry = JSON.parse(text) as ServerJson;
    const faults = [...check(entry), ...registryFaults(entry)];
    if (faults.length) process.exitCode = 1;
    process.stdout.write(faults.length ? faults.map((fault) => `${path}: ${fault}\n`).join('') : `${path}: ${entry.name} ${entry.version}, no faults.\n`);
    if (write === undefined) continue;
    const file = join(write, entry.name.split('/')[1]!, 'server.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
} catch (error) {
  if (!(error instanceof RegistryError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
