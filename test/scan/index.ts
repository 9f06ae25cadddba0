import { Command } from 'commander';
import { scanWithAfdocs } from './afdocs.ts';
import { scanWithAgentReadability } from './agent-readability.ts';
import { scanWithLighthouse } from './lighthouse.ts';
import { meetsGoals, formatReport, ScanError, type ScanReport } from './report.ts';
import { type ScannedService, serveForScan } from './serve.ts';
import { scanStructuredData } from './structured-data.ts';
import { type ScanTarget, selectPages } from './select-pages.ts';

const EXIT_BELOW_GOAL = 1;
const EXIT_USAGE_ERROR = 2;

/** Scanners by name. */
const scanners: Readonly<Record<string, (target: ScanTarget) => Promise<ScanReport>>> = {
  'agent-readability': scanWithAgentReadability,
  afdocs: scanWithAfdocs,
  'structured-data': scanStructuredData,
  lighthouse: scanWithLighthouse,
};

const program = new Command('npm run scan --')
  .description(
    'Scans a service with Lighthouse, agent-readability, afdocs and a structured data validator, and prints every score and failure. Without a URL, builds the current registry and serves it on a free loopback port.',
  )
  .argument('[url]', 'origin of a running service, for example http://localhost:4321')
  .option('--only <names>', `scanners, separated by commas: ${Object.keys(scanners).join(', ')}`)
  .option('--json', 'print the reports as JSON')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE_ERROR))
  .addHelpText(
    'after',
    `\nExit codes: 0 if every goal is met, ${EXIT_BELOW_GOAL} if a score is below its goal or a check fails, ${EXIT_USAGE_ERROR} for a usage error or if no service responds.\nExamples:\n  npm run scan\n  npm run scan -- http://localhost:4321 --only lighthouse --json`,
  )
  .parse();

const { only, json } = program.opts<{ only?: string; json?: boolean }>();

function selectScanners(): string[] {
  const names = only?.split(',') ?? Object.keys(scanners);
  const unknownNames = names.filter((name) => !Object.hasOwn(scanners, name));
  if (unknownNames.length)
    throw new ScanError(`--only: unknown scanner. Available: ${Object.keys(scanners).join(', ')}.`);
  return names;
}

function parseOrigin(): string | undefined {
  const [originArgument] = program.args;
  if (originArgument === undefined) return undefined;
  if (!URL.canParse(originArgument) || !/^https?:$/.test(new URL(originArgument).protocol))
    throw new ScanError(
      'The URL must be an absolute http: or https: address, for example http://localhost:4321.',
    );
  return new URL(originArgument).origin;
}

async function scan(): Promise<number> {
  const names = selectScanners();
  const originArgument = parseOrigin();
  const startedService: ScannedService | undefined =
    originArgument === undefined ? await serveForScan() : undefined;
  const reports: ScanReport[] = [];
  try {
    const target = await selectPages(originArgument ?? startedService!.origin);
    for (const name of names) {
      const report = await scanners[name]!(target);
      reports.push(report);
      if (!json) process.stdout.write(`${formatReport(report)}\n`);
    }
  } finally {
    await startedService?.stop();
  }
  const meetsAllGoals = meetsGoals(reports);
  process.stdout.write(
    json
      ? `${JSON.stringify({ met: meetsAllGoals, reports }, null, 2)}\n`
      : meetsAllGoals
        ? 'All goals were met.\n'
        : 'Some goals were not met.\n',
  );
  return meetsAllGoals ? 0 : EXIT_BELOW_GOAL;
}

scan()
  .then((code) => (process.exitCode = code))
  .catch((error: unknown) => {
    process.stderr.write(
      `${error instanceof ScanError ? error.message : ((error as Error).stack ?? error)}\n`,
    );
    process.exitCode = error instanceof ScanError ? EXIT_USAGE_ERROR : EXIT_BELOW_GOAL;
  });
