import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Fault, formatFault, RegistryError } from '../registry/fault.ts';
import { readRegistry } from '../registry/read.ts';
import { readSources } from '../registry/index.ts';
import type { Source } from '../registry/source/source.ts';
import { key } from '../registry/schemas/text.ts';
import { formatQuantity } from '../site/words/quantity.ts';
import { listLinkTargets } from '../site/link-targets.ts';
import { recordOfPage, type Registry } from '../site/registry.ts';
import { readCommandSettings } from './command-settings.ts';
import { createCommandLine } from './command-line.ts';
import { exitCodeOf } from './exit-code-of.ts';
import { exitCodes, exitWithMessage } from './exit-codes.ts';
import { describeFileError } from './file-errors.ts';
import { createSubsiteRecord } from './starting-subsite.ts';

/** Minimum number of linked subsites for text to count as a list of the services. */
const MIN_LISTED_SUBSITES = 10;

/** The records whose text lists the services by hand. */
const findServiceLists = (registry: Registry): string[] =>
  [
    ...registry.pages.map((page) => ({ record: recordOfPage(page), text: page.body })),
    ...registry.subsites.map(({ name, intro }) => ({ record: `subsites/${name}`, text: intro })),
  ]
    .filter(({ text = '' }) => {
      const targets = new Set(listLinkTargets(text));
      return registry.subsites.filter(({ url }) => targets.has(url)).length >= MIN_LISTED_SUBSITES;
    })
    .map(({ record }) => record);

/** The registry, or its faults. */
function readRegistryOrFaults(
  folder: string,
  sources: readonly Source[],
): { registry?: Registry; faults: readonly Fault[] } {
  try {
    return { registry: readRegistry(folder, sources), faults: [] };
  } catch (error) {
    if (error instanceof RegistryError) return { faults: error.faults };
    throw error;
  }
}

/** What is wrong with the name itself; undefined if nothing is. */
function describeNameProblem(name: string, file: string): string | undefined {
  const suggestedName = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-$/g, '');
  if (!key.safeParse(name).success)
    return `A name consists of lowercase letters, digits and single hyphens${suggestedName ? `, for example ${suggestedName}` : ''}.`;
  if (existsSync(file) || existsSync(file.replace(/yaml$/, 'json')))
    return `${file} already exists. Choose another name or edit that file.`;
  return undefined;
}

/**
 * Compares the faults of the existing records with those that the new record adds. Faults are
 * matched by location, because their text may list the known names, to which the record adds one.
 * @throws {RegistryError} if the folder is not a registry or cannot be read
 */
function findRecordFaults(
  name: string,
  today: string,
  folder: string,
): {
  existingFaults: readonly Fault[];
  newFaults: readonly Fault[];
  serviceLists: readonly string[];
} {
  const sources = readSources(folder);
  const { registry, faults: existingFaults } = readRegistryOrFaults(folder, sources);
  const locationOf = ({ file, line, column, path }: Fault) =>
    formatFault({ file, line, column, path, problem: '' });
  const existingLocations = new Set(existingFaults.map(locationOf));
  // With its placeholders, the record would be unreadable.
  const text = createSubsiteRecord(name, today, (_, sample) => sample);
  const { faults } = readRegistryOrFaults(folder, [
    ...sources,
    { file: `${folder}/subsites/${name}.yaml`, text },
  ]);
  const newFaults = faults.filter((fault) => !existingLocations.has(locationOf(fault)));
  return { existingFaults, newFaults, serviceLists: registry ? findServiceLists(registry) : [] };
}

const EXAMPLE = '\nExample:\n  npm run new -- subsite gutter-cleaning';

const program = createCommandLine('new')
  .description('Writes a new record with placeholders into the registry.')
  .addHelpText('after', EXAMPLE);
program
  .command('subsite')
  .description(
    'Writes subsites/<name>.yaml into the registry, with a <placeholder> for each value that only you know. npm run check reports each placeholder until you replace it.',
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
      let existingFaults: readonly Fault[] = [];
      let serviceLists: readonly string[] = [];
      try {
        const nameProblem = describeNameProblem(name, file);
        if (nameProblem !== undefined) {
          const isValidName = key.safeParse(name).success;
          exitWithMessage(nameProblem, isValidName ? exitCodes.refused : exitCodes.usageError);
        }
        const faults = findRecordFaults(name, today, registry);
        if (faults.newFaults.length) {
          exitWithMessage(
            [
              ...faults.newFaults.map(formatFault),
              'Nothing was written. Choose another name.',
            ].join('\n'),
            exitCodes.refused,
          );
        }
        ({ existingFaults, serviceLists } = faults);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, createSubsiteRecord(name, today));
      } catch (error) {
        const message = error instanceof RegistryError ? error.message : describeFileError(error);
        if (message === undefined) throw error;
        exitWithMessage(message, exitCodeOf(error));
      }
      process.stdout.write(
        `Wrote ${file}. Replace each <placeholder> in it with your own value, then run npm run check, which lists any that remain.\nThe front page, the sitemap, the search and the documents for agents list the subsite automatically. routes.yaml needs a line only if publicRoutes in /api/v1/capabilities should name its path.\n`,
      );
      if (serviceLists.length)
        process.stdout.write(
          `Texts with lists of services: ${serviceLists.join(', ')}. Add the new service where it belongs.\n`,
        );
      if (existingFaults.length)
        process.stdout.write(
          `The check also lists ${formatQuantity(existingFaults.length, 'fault')} that the registry already had.\n`,
        );
    },
  );
await program.parseAsync();
