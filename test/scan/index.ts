import { Command } from 'commander';
import { afdocs } from './afdocs.ts';
import { agentReadability } from './agent-readability.ts';
import { lighthouse } from './lighthouse.ts';
import { meetsGoals, reportText, ScanError, type ScanReport } from './report.ts';
import { type Served, serveForScan } from './serve.ts';
import { structuredData } from './structured-data.ts';
import { type Surface, surfaceOf } from './select-pages.ts';

const MISSED = 1;
const MISUSED = 2;

/** Scanners by name. */
const scanners: Readonly<Record<string, (surface: Surface) => Promise<ScanReport>>> = {
  'agent-readability': agentReadability,
  afdocs,
  'structured-data': structuredData,
  lighthouse,
};

const program = new Command('npm run scan --')
  .description(
    'Scans a service with Lighthouse, agent-readability, afdocs and a validator of structured data, and prints every score and failure. Without a url it builds the present registry and serves it on a free port of the loopback.',
  )
  .argument('[url]', 'origin of a running service, for example http://localhost:4321')
  .option('--only <names>', `scanners, separated by commas: ${Object.keys(scanners).join(', ')}`)
  .option('--json', 'print the reports as JSON')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : MISUSED))
  .addHelpText(
    'after',
    `\nExit codes: 0 every goal is met, ${MISSED} a score below its goal or a failure, ${MISUSED} wrong usage or no service.\nExamples:\n  npm run scan\n  npm run scan -- http://localhost:4321 --only lighthouse --json`,
  )
  .parse();

const { only, json } = program.opts<{ only?: string; json?: boolean }>();

function chosen(): string[] {
  const names = only?.split(',') ?? Object.keys(scanners);
  const unknown = names.filter((name) => !Object.hasOwn(scanners, name));
  if (unknown.length)
    throw new ScanError(`--only: unknown scanner. Available: ${Object.keys(scanners).join(', ')}.`);
  return names;
}

function givenOrigin(): string | undefined {
  const [given] = program.args;
  if (given === undefined) return undefined;
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new ScanError(
      'The url must be an absolute http: or https: address, for example http://localhost:4321.',
    );
  return new URL(given).origin;
}

async function scan(): Promise<number> {
  const names = chosen();
  const given = givenOrigin();
  const served: Served | undefined = given === undefined ? await serveForScan() : undefined;
  const reports: ScanReport[] = [];
  try {
    const surface = await surfaceOf(given ?? served!.origin);
    for (const name of names) {
      const report = await scanners[name]!(surface);
      reports.push(report);
      if (!json) process.stdout.write(`${reportText(report)}\n`);
    }
  } finally {
    await served?.stop();
  }
  const met = meetsGoals(reports);
  process.stdout.write(
    json
      ? `${JSON.stringify({ met, reports }, null, 2)}\n`
      : met
        ? 'Every goal is met.\n'
        : 'Not every goal is met.\n',
  );
  return met ? 0 : MISSED;
}

scan()
  .then((code) => (process.exitCode = code))
  .catch((error: unknown) => {
    process.stderr.write(
      `${error instanceof ScanError ? error.message : ((error as Error).stack ?? error)}\n`,
    );
    process.exitCode = error instanceof ScanError ? MISUSED : MISSED;
  });
