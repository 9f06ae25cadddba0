import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatFault, RegistryError } from '../registry/fault.ts';
import { readRegistry } from '../registry/read.ts';
import { readSources } from '../registry/index.ts';
import type { Source } from '../registry/source.ts';
import { key } from '../registry/text.ts';
import { readCommandSettings } from './command-settings.ts';
import { createCommandLine } from './command-line.ts';

import { createSubsiteRecord } from './starting-subsite.ts';

/**
 * Checks whether a new record can be added to the existing records. Returns one sentence or fault
 * per line; empty if there are no faults.
 */
function findRecordFaults(name: string, text: string, folder: string, file: string): string[] {
  const suggestedName = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-$/g, '');
  if (!key.safeParse(name).success)
    return [
      `A name consists of lowercase letters, digits and single hyphens${suggestedName ? `, for example ${suggestedName}` : ''}.`,
    ];
  if (existsSync(file) || existsSync(file.replace(/yaml$/, 'json')))
    return [`${file} already exists. Choose another name or edit that file.`];
  const findFaultsWith = (extraSources: readonly Source[]): string[] => {
    try {
      readRegistry(folder, [...readSources(folder), ...extraSources]);
      return [];
    } catch (error) {
      if (error instanceof RegistryError) return error.faults.map(formatFault);
      throw error;
    }
  };
  const faults = findFaultsWith([{ file: `${folder}/subsites/${name}.yaml`, text }]);
  if (!faults.length) return [];
  // Ignore faults that exist without the new record.
  const existingFaults = new Set(findFaultsWith([]));
  const newFaults = faults.filter((fault) => !existingFaults.has(fault));
  return newFaults.length ? [...newFaults, 'Nothing was written. Choose another name.'] : [];
}

const EXAMPLE = '\nExample:\n  npm run new -- subsite gutter-cleaning';

const program = createCommandLine('npm run new --')
  .description('Writes a new record with placeholders into the registry.')
  .addHelpText('after', EXAMPLE);
program
  .command('subsite')
  .description(
    'Writes subsites/<name>.yaml into the registry. The record passes the check and has placeholders to fill in.',
  )
  .argument('<name>', 'short name of lowercase letters, digits and hyphens')
  .option('--registry <folder>', 'registry folder; default: REGISTRY_DIR, otherwise registry')
  .addHelpText('after', EXAMPLE)
  .action(
    (
      name: string,
      { registry = readCommandSettings('registryDir').registryDir }: { registry?: string },
    ) => {
      const file = join(registry, 'subsites', `${name}.yaml`);
      const text = createSubsiteRecord(name, new Date().toISOString().slice(0, 10));
      const faults = existsSync(registry)
        ? findRecordFaults(name, text, registry, file)
        : [`${registry} is not a folder. Use the path of the registry folder.`];
      if (faults.length) {
        process.stderr.write(`${faults.join('\n')}\n`);
        process.exitCode = 1;
        return;
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      process.stdout.write(
        `Wrote ${file}. Add your own purpose, price and questions to it, then run npm run check.\n`,
      );
    },
  );
await program.parseAsync();
