import { basename } from 'node:path';
import { Command } from 'commander';
import { buildProgram } from '../build/program.ts';
import { buildRelease } from '../build/build-release.ts';
import { rollBack } from '../build/releases.ts';
import { commandSettings } from './command-settings.ts';
import { warnOfMisspelledSettings } from './misspelled-settings.ts';
import { lockOutDir } from './lock-out-dir.ts';
import { endsWhenMisused } from './exit-codes.ts';

const program = endsWhenMisused(new Command('npm run build --'))
  .description(
    'Builds the registry into a release of its own below OUT_DIR and makes it the current one. A running server takes it over. The last three releases are kept. Builds into one folder run one after the other.',
  )
  .option('--rollback', 'go back to the release before the current one, until the next build')
  .addHelpText('after', '\nExamples:\n  npm run build\n  npm run build -- --rollback')
  .parse();

warnOfMisspelledSettings();
const { outDir } = commandSettings('outDir');
await lockOutDir(outDir, (sentence) => process.stderr.write(`${sentence}\n`));
if (program.opts<{ rollback?: boolean }>().rollback) {
  const release = rollBack(outDir);
  if (release) process.stdout.write(`${basename(release)} is the current release.\n`);
  else {
    process.stderr.write(`There is no earlier release in ${outDir}. Nothing was changed.\n`);
    process.exitCode = 1;
  }
} else {
  await buildProgram(outDir);
  const release = await buildRelease(outDir);
  process.stdout.write(`${basename(release)} is the current release.\n`);
}
