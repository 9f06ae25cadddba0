import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatFault, RegistryError } from '../registry/fault.ts';
import { readRegistry } from '../registry/read.ts';
import { readSources } from '../registry/index.ts';
import type { Source } from '../registry/source.ts';
import { key } from '../registry/text.ts';
import { readCommandSettings } from './command-settings.ts';
import { createCommandLine } from './command-line.ts';
import { exitCodes } from './exit-codes.ts';
import { describeFileError } from './file-errors.ts';
import { createSubsiteRecord } from './starting-subsite.ts';

/**
 * Checks whether a new record can be added to the existing records. Returns one sentence or fault
 * per line; empty if there are no faults.
 * @throws {RegistryError} if the folder is not a registry or cannot be read
 */
function findRecordFaults(name: string, today: string, folder: string, file: string): string[] {
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
  const sources = readSources(folder);
  const findRegistryFaults = (extraSources: readonly Source[]): string[] => {
    try {
      readRegistry(folder, [...sources, ...extraSources]);
      return [];
    } catch (error) {
      if (error instanceof RegistryError) return error.faults.map(formatFault);
      throw error;
    }
  };
  // With its placeholders, the record would be unreadable.
  const text = createSubsiteRecord(name, today, (_, sample) => sample);
  const faults = findRegistryFaults([{ file: `${folder}/subsites/${name}.yaml`, text }]);
  if (!faults.length) return [];
  // Ignore faults that exist without the new record.
  const existingFaults = new Set(findRegistryFaults([]));
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
    'Writes subsites/<name>.yaml into the registry, with a <placeholder> for each value that only you know. The check reports each of them until you replace it.',
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
      const today = new Date().toISOString().slice(0, 10);
      const exitWithMessage = (text: string) => {
        process.stderr.write(`${text}\n`);
        process.exitCode = exitCodes.refused;
      };
      try {
        const faults = findRecordFaults(name, today, registry, file);
        if (faults.length) {
          exitWithMessage(faults.join('\n'));
          return;
        }
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, createSubsiteRecord(name, today));
      } catch (error) {
        const message = error instanceof RegistryError ? error.message : describeFileError(error);
        if (message === undefined) throw error;
        exitWithMessage(message);
        return;
      }
      process.stdout.write(
        `Wrote ${file}. Replace each <placeholder> in it with your own value, then run npm run check, which lists those that are left.\n`,
      );
    },
  );
await program.parseAsync();
