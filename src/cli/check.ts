import { formatChange } from '../registry/compare/change.ts';
import { compareRegistries } from '../registry/compare/compare.ts';
import { type Fault, formatFault, RegistryError } from '../registry/fault.ts';
import { readSources } from '../registry/index.ts';
import { findTruncatedTexts } from '../registry/source/truncated-texts.ts';
import { isImageFile, readRegistry } from '../registry/read.ts';
import type { Registry } from '../site/registry.ts';
import type { Source } from '../registry/source/source.ts';
import { findImageFaults, listReferencedImages } from '../build/image-faults.ts';
import { serviceRules } from '../build/service-rules.ts';
import { readCommandSettings } from './command-settings.ts';
import { findFormerPhones } from './former-phones.ts';
import { findRecordWarnings } from './record-warnings.ts';
import { warnOfMisspelledSettings } from './misspelled-settings.ts';
import { readRegistryAtRevision, RevisionError } from './git-registry.ts';
import { formatQuantity } from '../site/words/quantity.ts';
import { toDateInTimeZone } from '../site/calendar/days.ts';
import { createCommandLine } from './command-line.ts';
import { exitCodeOf } from './exit-code-of.ts';
import { exitCodes, USAGE_ERROR_TEXT } from './exit-codes.ts';
import { createPrinter } from './output.ts';

const program = createCommandLine('check')
  .description(
    'Checks the registry and prints every fault as file:line:column path: problem. Fix. Warns about text that contradicts the hours, prices, holds or response times of its record, about pages and articles whose prices differ from those of the subsite that they belong or link to, about unquoted text that a number sign cuts off, and about lists of closed days that are all in the past.',
  )
  .argument('[folder]', 'registry folder; default: REGISTRY_DIR, otherwise registry')
  .option(
    '--json',
    'print the faults and warnings, each with its severity, or with --diff the changes, as a JSON array',
  )
  .option(
    '--diff <revision>',
    'print what has changed for agents since a git revision, and the warnings, including those about former phone numbers',
  )
  .addHelpText(
    'after',
    `\nExit codes: 0 no faults, ${exitCodes.refused} faults, ${USAGE_ERROR_TEXT}; also a revision that cannot be compared.\n\nExamples:\n  npm run check\n  npm run -s check -- --json\n  REGISTRY_DIR=../our-network npm run check\n  npm run check -- --diff origin/main`,
  )
  .parse();

warnOfMisspelledSettings();
const folder = program.args[0] ?? readCommandSettings('registryDir').registryDir;
const { json, diff } = program.opts<{ json?: boolean; diff?: string }>();
const print = createPrinter(program);

const printWarnings = (warnings: readonly Fault[]) =>
  process.stderr.write(warnings.map((warning) => `Warning: ${formatFault(warning)}\n`).join(''));

/** Prints warnings to standard error or, with --json, after the faults to standard output. */
function printFindings(
  faults: readonly Fault[],
  warnings: readonly Fault[],
  faultsNote = '',
): void {
  if (json)
    print(
      [],
      [
        ...faults.map((fault) => ({ ...fault, severity: 'fault' })),
        ...warnings.map((warning) => ({ ...warning, severity: 'warning' })),
      ],
    );
  else {
    if (faults.length)
      process.stderr.write(
        `${faults.map(formatFault).join('\n')}\n${formatQuantity(faults.length, 'fault')}.${faultsNote}\n`,
      );
    printWarnings(warnings);
  }
}

/** The image files whose paths occur in the records, for a registry with unreadable records. */
const listImagesInTexts = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ file, unreadable }) => {
    const name = file.slice(folder.length + 1);
    const isReferenced = isImageFile(name) && sources.some(({ text }) => text.includes(name));
    return isReferenced && !unreadable ? name : [];
  });

/** Reads the registry and its images. @throws {RegistryError} with the faults of both */
async function readRegistryWithImages(sources: readonly Source[]): Promise<Registry> {
  let registry: Registry;
  try {
    registry = readRegistry(folder, sources, serviceRules);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const imageFaults = await findImageFaults(folder, listImagesInTexts(sources));
    throw new RegistryError([...error.faults, ...imageFaults], error.isPartial);
  }
  const faults = await findImageFaults(folder, listReferencedImages(registry));
  if (faults.length) throw new RegistryError(faults);
  return registry;
}

let sources: Source[] = [];
try {
  sources = readSources(folder);
  // Read first, so that a misspelled revision is reported even if the registry has faults.
  const previousRegistry = diff === undefined ? undefined : readRegistryAtRevision(folder, diff);
  const registry = await readRegistryWithImages(sources);
  const warnings = findRecordWarnings(
    folder,
    sources,
    registry,
    toDateInTimeZone(registry.network.timeZone, new Date()),
  );
  if (previousRegistry === undefined) {
    const actions = registry.subsites.reduce((sum, subsite) => sum + subsite.actions.length, 0);
    if (!json)
      process.stdout.write(
        `${folder}: ${formatQuantity(registry.subsites.length, 'subsite')}, ${formatQuantity(actions, 'action')}, ${formatQuantity(registry.pages.length, 'page')}, no faults.\n`,
      );
    printFindings([], warnings);
  } else {
    const changes = compareRegistries(previousRegistry, registry);
    const lines = changes.map(
      (change) => `${formatChange(change)}${change.breaking ? ' (breaking)' : ''}`,
    );
    print(lines.length ? lines : [`Nothing has changed for agents since ${diff}.`], changes);
    printWarnings([...warnings, ...findFormerPhones(previousRegistry, registry, sources)]);
  }
} catch (error) {
  if (error instanceof RegistryError) {
    printFindings(
      error.faults,
      // A fault may be caused by text that a number sign turned into a comment.
      sources.flatMap(findTruncatedTexts),
      error.isPartial ? ' Some rules are checked only when every record can be read.' : '',
    );
    process.exitCode = exitCodeOf(error);
  } else if (error instanceof RevisionError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = exitCodes.usageError;
  } else throw error;
}
