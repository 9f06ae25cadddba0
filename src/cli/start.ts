import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import { DatabaseUnavailableError, openDatabase } from '../../db/index.ts';
import { lockForServer } from '../../db/server-lock.ts';
import { listReceiptKeyNotices } from '../capabilities/receipt-signature.ts';
import { listDeliveryNotices, listStrandedDeliveryNotices } from '../leads/deliveries/index.ts';
import { listRemovedActionNotices } from '../leads/lists/removed-actions.ts';
import { freeMemory } from '../build/free-memory.ts';
import { findCurrentRelease, isRolledBack } from '../build/releases.ts';
import { isBuildCurrent } from '../build/stamp.ts';
import { readBuiltSite } from '../server/built-site.ts';
import { serve } from '../server/entry.ts';
import {
  isLoopbackHost,
  listOrigins,
  METRICS_HOST,
  requireFreePort,
  StartError,
} from '../server/listen.ts';
import { createLog } from '../server/log.ts';
import { watchReleases } from '../server/watch-releases.ts';
import {
  createDatabaseConfig,
  isRunByNpm,
  listPrivateTargetNotices,
  readSettings,
  type Settings,
  SettingsError,
} from '../settings.ts';
import { databaseNameOf } from './database-name.ts';
import { listExposedSecretNotices } from './exposed-secrets.ts';
import { warnOfMisspelledSettings } from './misspelled-settings.ts';
import { exitCodes, exitWithMessage } from './exit-codes.ts';
import { stackOf } from './output.ts';
import { formatQuantity } from '../site/words/quantity.ts';

const printLine = (sentence: string) => process.stdout.write(`${sentence}\n`);

/** Signals that stop a program, from systemd, Docker, pm2 or a closing terminal. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Time between checks that npm is still running, in ms. */
const PARENT_CHECK_MS = 500;

/**
 * Calls `stop` on each stop signal, and when the parent npm process has ended: npm does not forward
 * SIGHUP and cannot forward SIGKILL, so the server would keep running. Returns a function that
 * removes the handlers.
 */
function onStop(stop: () => void): () => void {
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const parentPid = process.ppid;
  const parentCheck = isRunByNpm()
    ? setInterval(() => process.ppid !== parentPid && stop(), PARENT_CHECK_MS).unref()
    : undefined;
  return () => {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, stop);
    clearInterval(parentCheck);
  };
}

/** Runs `npm run build` and waits for it. @throws {StartError} */
async function build(): Promise<void> {
  const child = spawn(process.execPath, ['src/cli/build.ts', '--checked-settings'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Stops the build if this process ends first.
  const end = () => void child.kill();
  process.once('exit', end);
  const unregister = onStop(() => process.exit(0));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const [status] = (await once(child, 'close')) as [number | null];
  process.removeListener('exit', end);
  unregister();
  if (status === 0) return;
  process.stderr.write(output);
  throw new StartError('The build failed for the reason above.');
}

/**
 * Finds the release to serve. Builds a release if the current release does not match the registry
 * and the sources.
 */
async function prepareRelease({ outDir, registryDir }: Settings): Promise<string> {
  const current = findCurrentRelease(outDir);
  if (current && isRolledBack(outDir)) {
    printLine(
      `Serving ${basename(current)}, because the network was rolled back to it. npm run build creates a new release.`,
    );
    return current;
  }
  if (!existsSync(registryDir)) {
    if (!current)
      throw new StartError(
        `REGISTRY_DIR: there is no folder ${registryDir}, and no build in ${outDir}. Set it to the folder of the registry.`,
      );
    printLine(`There is no registry in ${registryDir} (REGISTRY_DIR). Serving the existing build.`);
    return current;
  }
  if (current && isBuildCurrent(current)) return current;
  printLine('Building, because there is no build of the current registry and sources.');
  try {
    await build();
  } catch (error) {
    if (!current || !(error instanceof StartError)) throw error;
    process.stderr.write(
      `${error.message} Serving ${basename(current)}, the last release, without the changes since. Correct the errors and run npm run build; the server then switches to the new release.\n`,
    );
    return current;
  }
  const builtRelease = findCurrentRelease(outDir);
  if (!builtRelease) throw new StartError(`There is no build in ${outDir}. Run npm run build.`);
  return builtRelease;
}

/**
 * Waits until the service responds, and returns its URL: `base`, the origin in documents, if it
 * leads to this server. @throws {StartError}
 */
async function waitUntilServing(host: string, port: number, base: string): Promise<string> {
  const origins = listOrigins(host, port);
  // This does not use fetch(), which would load an HTTP client that nothing else needs during
  // startup.
  const url = `${origins.at(-1)}/healthz`;
  const request = get(url, { agent: false, signal: AbortSignal.timeout(10_000) });
  const [response] = (await once(request, 'response').catch((error: unknown) => {
    const { name, code } = error as NodeJS.ErrnoException;
    const reason = name === 'AbortError' ? 'no response within 10 s' : code;
    throw new StartError(
      `The service started, but does not respond at ${url} (${reason}). Check that HOST is an address of this machine and that no other program uses its port.`,
    );
  })) as [IncomingMessage];
  response.resume();
  if (response.statusCode !== 200)
    throw new StartError('The service started, but its database does not respond.');
  return origins.includes(base) ? base : origins[0]!;
}

async function start(): Promise<void> {
  warnOfMisspelledSettings();
  const settings = readSettings();
  // Keep the lock until the process ends, so that its remaining work never overlaps with another
  // server's.
  const lock = await lockForServer(createDatabaseConfig(settings));
  process.once('exit', () => lock.release());
  const { host, port, metricsPort } = settings;
  await requireFreePort(host, port, 'PORT');
  if (metricsPort !== undefined) await requireFreePort(METRICS_HOST, metricsPort, 'METRICS_PORT');
  const database = await openDatabase({
    ...createDatabaseConfig(settings),
    ...(settings.budgets && { minFreeBytes: settings.minFreeDisk }),
  });
  let stop = () => database.close();
  try {
    for (const notice of [...database.notices, ...listExposedSecretNotices()]) printLine(notice);
    const release = await prepareRelease(settings);
    const site = readBuiltSite(release);
    const hasOtherAddress = site.base !== settings.siteUrl;
    if (hasOtherAddress)
      printLine(
        `This release was built for ${site.base}, but SITE_URL is ${settings.siteUrl}. Run npm run build to build for SITE_URL.`,
      );
    if (!site.dynamic)
      printLine(
        'This release is static (DYNAMIC=0): its pages and documents offer nothing that requires this server, which still answers requests.',
      );
    const log = createLog(settings.logLevel);
    process.on('unhandledRejection', (error) =>
      log.error({ err: error }, 'Unhandled promise rejection'),
    );
    const service = await serve({ ...settings, outDir: release }, database, log, site);
    ({ stop } = service);
    const watcher = watchReleases(settings.outDir, release, (next) =>
      // The origin of a running server changes only through a rollback with --other-address.
      service.takeOver(next, { allowOtherAddress: isRolledBack(settings.outDir) }),
    );
    onStop(() => {
      watcher.stop();
      printLine('Stopping after the requests in progress.');
      void service.stop().then(() => process.exit(0));
    });
    // Printed only now, so that they do not hide an error that stops startup.
    for (const notice of [
      ...listPrivateTargetNotices(settings),
      ...listDeliveryNotices(settings, { site }),
      ...(await listStrandedDeliveryNotices(settings, { site, database })),
      ...(await listRemovedActionNotices({ site, database })),
      ...listReceiptKeyNotices(settings.receiptSigningKey, site),
    ])
      printLine(notice);
    const address = await waitUntilServing(settings.host, service.port, site.base);
    printLine(
      `Serving ${formatQuantity(service.documents, 'document')} at ${address}${address === site.base ? '' : ` for ${site.base}`}`,
    );
    // A public URL belongs to the proxy or CDN in front of the server; a loopback URL must belong
    // to this server.
    if (
      !hasOtherAddress &&
      !settings.trustProxy &&
      isLoopbackHost(new URL(site.base).hostname) &&
      site.base !== address
    )
      printLine(
        `Documents and receipts refer to ${site.base}. Set SITE_URL=${address} to use this URL.`,
      );
    await service.warm();
    freeMemory();
  } catch (error) {
    await stop();
    throw error;
  }
}

const HELP = `Usage: npm start

Serves the network, and builds it first if the registry, the sources or the build's settings have changed. It takes no
options. Settings are environment variables or lines in .env; .github/OPERATING.md lists them.

Examples:
  npm start
  SITE_URL=https://example.com PORT=8080 npm start`;

const isExpected = (error: unknown): error is Error =>
  error instanceof SettingsError ||
  error instanceof StartError ||
  error instanceof DatabaseUnavailableError;

const [argument] = process.argv.slice(2);
if (argument === '--help' || argument === '-h') {
  printLine(HELP);
  process.exit();
}
if (argument !== undefined)
  exitWithMessage(
    `npm start takes no arguments, but got ${argument}. See npm start -- --help.`,
    exitCodes.usageError,
  );
start().catch((error: unknown) => {
  if (error instanceof DatabaseUnavailableError)
    process.stderr.write(`Database: ${databaseNameOf(readSettings().databaseUrl)}\n`);
  exitWithMessage(isExpected(error) ? error.message : stackOf(error), exitCodes.refused);
});
