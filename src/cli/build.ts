import { basename } from 'node:path';
import { Option } from 'commander';
import { buildProgram } from '../build/program.ts';
import { buildRelease } from '../build/build-release.ts';
import { findCurrentRelease, isRolledBack } from '../build/releases.ts';
import { SettingsError } from '../settings.ts';
import { readCommandSettings } from './command-settings.ts';
import { warnOfMisspelledSettings } from './misspelled-settings.ts';
import { describeFileError, describeRootOwnership, describeWriteOutside } from './file-errors.ts';
import { lockOutDir } from './lock-out-dir.ts';
import {
  describeReleases,
  describeReturnToNewest,
  readReleaseBase,
  rollBack,
  RollbackError,
} from './roll-back.ts';
import { createCommandLine } from './command-line.ts';
import { exitCodes, exitWithMessage } from './exit-codes.ts';

interface Options {
  releases?: boolean;
  rollback?: string | true;
  otherAddress?: boolean;
  verbose?: boolean;
  checkedSettings?: boolean;
}

const program = createCommandLine('build')
  .description(
    'Builds the registry into a new release in OUT_DIR and makes it the current release. A running server switches to it. The last three releases and the one that the current release replaced are kept. Builds into the same folder run one after another.',
  )
  .option(
    '--releases',
    'list the kept releases, newest first, with their times in UTC, and mark the current release',
  )
  .option(
    '--rollback [release]',
    'go back to a kept release until the next build; default: from the newest release, the release that was current before it; from an older release, the next older one',
  )
  .option('--other-address', 'go back even to a release that was built for another SITE_URL')
  .option('--verbose', 'print a line for each document')
  .addOption(
    new Option(
      '--checked-settings',
      'npm start has already warned about misspelled settings',
    ).hideHelp(),
  )
  .addUsageCheck(({ releases, rollback, otherAddress }: Options) => [
    ...(releases && rollback !== undefined ? ['Use either --releases or --rollback.'] : []),
    ...(otherAddress && rollback === undefined
      ? ['Use --other-address together with --rollback.']
      : []),
  ])
  .addHelpText(
    'after',
    '\nExamples:\n  npm run build\n  npm run build -- --releases\n  npm run build -- --rollback',
  )
  .parse();

const {
  releases,
  rollback,
  otherAddress = false,
  verbose = false,
  checkedSettings = false,
} = program.opts<Options>();
if (!checkedSettings) warnOfMisspelledSettings();
const { outDir, siteUrl } = readCommandSettings('outDir', 'siteUrl');
const lock = () =>
  lockOutDir(outDir, (sentence) => process.stderr.write(`${sentence}\n`)).catch(
    (error: unknown) => {
      if (!(error instanceof SettingsError)) throw error;
      exitWithMessage(error.message, exitCodes.refused);
    },
  );

if (releases)
  process.stdout.write(
    describeReleases(outDir)
      .map((line) => `${line}\n`)
      .join(''),
  );
else if (rollback !== undefined) {
  const unlock = await lock();
  try {
    const name = rollBack(outDir, rollback === true ? undefined : rollback, otherAddress);
    process.stdout.write(
      `${name} is the current release${isRolledBack(outDir) ? ', until npm run build makes a new one' : ''}. A running server switches to it within a few seconds.${describeReturnToNewest(outDir)}\n`,
    );
  } catch (error) {
    if (!(error instanceof RollbackError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = exitCodes.refused;
  } finally {
    unlock();
  }
} else {
  await lock();
  // The exit code if the output pipe closes during the build.
  process.exitCode = exitCodes.refused;
  const previousBase = readReleaseBase(findCurrentRelease(outDir));
  const release = await buildProgram(outDir)
    .then(() => buildRelease(outDir, { verbose }))
    .catch((error: unknown) => {
      const text = describeFileError(error, outDir);
      if (!text) throw error;
      const fix = describeRootOwnership(error, outDir) ?? describeWriteOutside(error, outDir);
      exitWithMessage(
        `OUT_DIR: ${fix ?? text} The current release was not changed.`,
        exitCodes.refused,
      );
    });
  if (previousBase !== undefined && previousBase !== siteUrl)
    process.stderr.write(
      `Warning: this release is for ${siteUrl}, and the previous release was for ${previousBase}. A server that runs with a different SITE_URL keeps its release until it restarts with this SITE_URL. If SITE_URL should be ${previousBase}, build again with it.\n`,
    );
  process.exitCode = 0;
  process.stdout.write(`${basename(release)} is the current release.\n`);
}
