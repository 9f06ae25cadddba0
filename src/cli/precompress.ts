import { Command } from 'commander';
import { readStamp } from '../build/stamp.ts';
import { writeCompressed } from '../build/write-compressed.ts';
import { commandSettings } from './command-settings.ts';

new Command('npm run precompress')
  .description('Writes the .gz and .br files of a build beside its files, for nginx with gzip_static or brotli_static.')
  .addHelpText('after', '\nExample:\n  npm run build && npm run precompress')
  .parse();

const { outDir } = commandSettings('outDir');
if (!readStamp(outDir)) {
  process.stderr.write(`There is no build in ${outDir}. Run npm run build first.\n`);
  process.exit(1);
}
process.stdout.write(`${writeCompressed(outDir)} compressed files written in ${outDir}/client.\n`);
