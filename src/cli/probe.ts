import { buildFileNames } from '../build/arena.ts';
import { currentReleasePath } from '../build/releases.ts';
import { describeFaults } from './probe/describe-faults.ts';
import { probe } from './probe/index.ts';
import { codeOf } from '../../db/error-code.ts';
import { openArena } from '../server/arena.ts';
import { readCommandSettings } from './command-settings.ts';
import { formatQuantity } from '../site/words/quantity.ts';
import { createCommandLine, createCountParser, createUrlParser } from './command-line.ts';
import { exitCodes, USAGE_ERROR_TEXT, exitWithMessage } from './exit-codes.ts';
import { createPrinter } from './output.ts';

const program = createCommandLine('probe')
  .description(
    'Checks a deployment from outside against the documents in the build: status, type, encoding, ETag and 304, bytes, links, unknown URLs, and whether requests reach the server. Stores nothing. Prints one line per fault, but only the first few for a fault at many addresses; --json prints all. Behind a cache, wait five minutes after a build, because it may serve the previous release until then.',
  )
  .argument(
    '<url>',
    'origin of the deployment, for example https://example.com',
    createUrlParser('https://example.com'),
  )
  .option('--json', 'print the faults as a JSON array of {path, problem}')
  .option(
    '--build <folder>',
    'folder of the release',
    currentReleasePath(readCommandSettings('outDir').outDir),
  )
  .option('--concurrency <n>', 'number of concurrent requests', createCountParser(64), 8)
  .addHelpText(
    'after',
    `
Exit codes: 0 no faults, ${exitCodes.refused} faults, ${USAGE_ERROR_TEXT}.

Examples:
  npm run probe -- http://localhost:4321
  npm run -s probe -- https://example.com --json
  OUT_DIR=dist npm run probe -- https://example.com --concurrency 2`,
  )
  .parse();

const { build, concurrency } = program.opts<{ build: string; concurrency: number }>();
const [{ origin }] = program.processedArgs as [URL];
const arena = (() => {
  try {
    return openArena(build);
  } catch {
    return exitWithMessage(
      `There is no build in ${build} (${buildFileNames.index} is missing or has a different format). Run npm run build with the settings of the deployment.`,
      program.getOptionValueSource('build') === 'cli' ? exitCodes.usageError : exitCodes.refused,
    );
  }
})();

/** The error code of a failed fetch, such as ECONNREFUSED. */
const causeCodeOf = (error: unknown): string => (error instanceof Error ? codeOf(error.cause) : '');

/**
 * Whether an error code means an untrusted certificate, based on the names that OpenSSL and Node
 * use.
 */
const isCertificateError = (error: unknown): boolean =>
  /CERT|ISSUER|ALTNAME|CRL/.test(causeCodeOf(error));

await fetch(origin, {
  method: 'HEAD',
  redirect: 'manual',
  signal: AbortSignal.timeout(10_000),
}).catch((error: unknown) =>
  exitWithMessage(
    isCertificateError(error)
      ? `The certificate of ${origin} is not trusted here (${causeCodeOf(error)}). Fix the certificate, or set NODE_EXTRA_CA_CERTS to the file with its authority's certificate.`
      : `${origin} does not respond. Check the URL and whether the deployment is running.`,
    exitCodes.refused,
  ),
);
const { checked, faults } = await probe(arena, origin, { concurrency });
createPrinter(program)(
  [
    ...describeFaults(faults),
    `${formatQuantity(checked, 'address', 'addresses')} checked, ${formatQuantity(faults.length, 'fault')}.`,
  ],
  faults,
);
process.exit(faults.length ? 1 : 0);
