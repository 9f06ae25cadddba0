import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Command } from 'commander';

// Each file in this folder is a benchmark that makes its comparisons within one run and prints
// ratios.
const names = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'index.ts')
  .map((entry) => entry.name.replace(/\.ts$/, ''))
  .sort();

const program = new Command('npm run bench --')
  .description(
    'Runs benchmarks. Each compares two programs in one run and prints ratios. Traffic stays on loopback.',
  )
  .argument('[names...]', `benchmarks to run: ${names.join(', ')}; all if omitted`)
  .option('--leads <count>', 'for operator: number of leads in its database', '1000000')
  .addHelpText(
    'after',
    '\nExamples:\n  npm run bench -- registry\n  npm run bench -- operator --leads 100000',
  )
  .parse();
const { leads } = program.opts<{ leads: string }>();

const unknown = program.args.filter((name) => !names.includes(name));
if (unknown.length) {
  process.stderr.write(
    `Unknown benchmark: ${unknown.join(', ')}. Available: ${names.join(', ')}.\n`,
  );
  process.exit(1);
}
for (const name of program.args.length ? program.args : names) {
  process.stdout.write(`\n# ${name}\n`);
  const { status } = spawnSync(
    process.execPath,
    [`${import.meta.dirname}/${name}.ts`, ...(name === 'operator' ? ['--leads', leads] : [])],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exitCode = 1;
}
