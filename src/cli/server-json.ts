import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findRegistryFaults, serverJson, type ServerJson } from '../artifacts/server.json.ts';
import { renderDocument } from '../artifacts/index.ts';
import { buildSite } from '../build-site.ts';
import { RegistryError } from '../registry/fault.ts';
import { readBuildSettings, SettingsError } from '../settings.ts';
import { createCommandLine } from './command-line.ts';
import { USAGE_ERROR_TEXT, exitCodes } from './exit-codes.ts';

const program = createCommandLine('server-json')
  .description(
    'Checks the entries for the MCP registry against its rules, for SITE_URL and REGISTRY_DIR, and prints every fault.',
  )
  .option('--write <folder>', 'write each entry to this folder, for mcp-publisher')
  .addHelpText(
    'after',
    `\nExit codes: 0 valid, ${exitCodes.refused} invalid, ${USAGE_ERROR_TEXT}; also invalid settings, or nothing to publish.\nExample:\n  SITE_URL=https://example.com npm run server-json -- --write dist/mcp-registry`,
  )
  .parse();

const { write } = program.opts<{ write?: string }>();

/** Thrown when the check cannot start; the message is one sentence for the user. */
class UsageError extends Error {}

try {
  if (!existsSync(readBuildSettings().registryDir))
    throw new UsageError(
      'REGISTRY_DIR: there is no such folder. Set it to the folder of the registry.',
    );
  const site = buildSite();
  const entries = serverJson.keys(site);
  if (!entries.length)
    throw new UsageError(
      'DYNAMIC=0 announces no MCP endpoint, so there is nothing to publish. Unset DYNAMIC.',
    );
  for (const key of entries) {
    const [path] = serverJson.paths(key, site);
    const text = renderDocument(serverJson, key, site);
    const entry = JSON.parse(text) as ServerJson;
    const faults = findRegistryFaults(entry);
    if (faults.length) process.exitCode = exitCodes.refused;
    process.stdout.write(
      faults.length
        ? faults.map((fault) => `${path}: ${fault}\n`).join('')
        : `${path}: ${entry.name} ${entry.version} is valid.\n`,
    );
    if (write === undefined) continue;
    const file = join(write, entry.name.split('/')[1]!, 'server.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
} catch (error) {
  if (!(
    error instanceof RegistryError ||
    error instanceof SettingsError ||
    error instanceof UsageError
  ))
    throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof RegistryError ? exitCodes.refused : exitCodes.usageError;
}
