import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { SEED_VARIABLE } from '../setup/seeds.ts';

const MINUTE = 60_000;

/** Test files that use random seeds: property, model and kill tests. */
const seededFiles = globSync('test/**/*.test.ts')
  .filter((file) => readFileSync(file, 'utf8').includes('setup/seeds.ts'))
  .sort();

const parseWholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
};
const minutesOf = (text: string): number => {
  const minutes = Number(text);
  if (!(minutes > 0)) throw new InvalidArgumentError('Use a number of minutes above 0.');
  return minutes;
};

const program = new Command('npm run soak --')
  .description(
    'Runs all property, model and kill tests repeatedly, each round with a new seed, which it prints. It stops at the first failure and prints the command that replays it. npm test runs the same tests with one fixed seed.',
  )
  .argument('[files...]', 'test files to run (default: all that use a seed)')
  .option('--minutes <number>', 'start no new round after this time', minutesOf, 20)
  .option('--seed <number>', 'run one round with this seed', parseWholeNumber)
  .addHelpText(
    'after',
    `\nTest files:\n${seededFiles.map((file) => `  ${file}`).join('\n')}\n\nExamples:\n  npm run soak -- --minutes 60\n  npm run soak -- --seed 1234567 test/a2a/fuzz.test.ts`,
  )
  .parse();

const { minutes, seed: fixedSeed } = program.opts<{ minutes: number; seed?: number }>();
const unknownFiles = program.args.filter((file) => !seededFiles.includes(file));
if (unknownFiles.length)
  program.error(
    `${unknownFiles.join(', ')}: not a test that uses a seed. See npm run soak -- --help.`,
  );
const files = program.args.length ? program.args : seededFiles;

interface Report {
  success: boolean;
  numTotalTests: number;
  testResults: { name: string; status: string }[];
}

/** Runs one round. Returns the failed files and the output. */
function runRound(seed: number): { failed: string[]; testCount: number; log: string } {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  const outputFile = join(folder, 'report.json');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      ...['run', '--config', 'test/vitest.config.ts'],
      ...['--reporter=default', '--reporter=json', `--outputFile=${outputFile}`],
      ...files,
    ],
    {
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { ...process.env, [SEED_VARIABLE]: String(seed), NO_COLOR: '1' },
    },
  );
  const log = `${stdout}${stderr}`;
  try {
    if (status === null) throw new Error('A signal ended the tests.');
    const report = JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
    const failed = report.testResults
      .filter((result) => result.status === 'failed')
      .map(({ name }) => relative('.', name));
    if (status !== 0 && !failed.length) failed.push(...files);
    return { failed: [...new Set(failed)], testCount: report.numTotalTests, log };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const end = Date.now() + minutes * MINUTE;
let rounds = 0;
do {
  const seed = fixedSeed ?? randomInt(2 ** 31);
  const startedAt = Date.now();
  process.stdout.write(`seed ${seed}: `);
  const { failed, testCount, log } = runRound(seed);
  process.stdout.write(
    `${failed.length ? 'failed' : `${testCount} tests passed`} in ${Math.round((Date.now() - startedAt) / 1000)} s\n`,
  );
  rounds++;
  if (failed.length) {
    process.stdout.write(
      `\n${log}\nReplay with:\n  npm run soak -- --seed ${seed} ${failed.join(' ')}\n`,
    );
    process.exit(1);
  }
} while (fixedSeed === undefined && Date.now() < end);
process.stdout.write(`${rounds} ${rounds === 1 ? 'round' : 'rounds'} without a failure.\n`);
