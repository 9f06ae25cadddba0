import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../../db/index.ts';
import { listReceiptKeyNotices } from '../capabilities/receipt-signature.ts';
import { listRemovedActionNotices } from '../leads/lists/removed-actions.ts';
import { waitListOf } from '../operation/waits.ts';
import type { Site } from '../site/site.ts';
import { readStamp } from '../build/stamp.ts';
import type { Settings } from '../settings.ts';
import { createRateLimitCheck } from '../http/rate-limit.ts';
import { readBuiltSite } from './built-site.ts';
import { createCapabilityContext } from './capability-context.ts';
import { createHandler } from './handle.ts';
import { close, createConnectionLimits, listen } from './listen.ts';
import { openRelease } from './release.ts';
import { type ReleaseSettings, createServedRelease } from './served-release.ts';

/** Time that requests in flight have to finish when the service stops, in ms. */
const GRACE_MS = 10_000;

/**
 * Time after which a replaced release has no more requests, in ms: longer than a request may take
 * to arrive and wait for a change.
 */
const MAX_REQUEST_MS = 180_000;

export interface Service {
  port: number;
  /** Port of the metrics, if enabled. */
  metricsPort: number | undefined;
  /** Number of paths in the memory tier. */
  documents: number;
  /**
   * Switches to another release. Requests in progress finish with the previous release. If the new
   * release cannot be opened, or was built for a different SITE_URL and `allowOtherAddress` does
   * not allow that, the failure is logged and the previous release stays current.
   */
  takeOver: (release: string, options?: { allowOtherAddress?: boolean }) => Promise<void>;
  /**
   * After startup, preloads what the first rendered page and the first question need. Errors are
   * logged.
   */
  warm: () => Promise<void>;
  /**
   * Refuses new work, finishes requests in flight, then closes the database. May be called more
   * than once.
   */
  stop: () => Promise<void>;
}

const describeOtherAddress = (builtAddress: string, servedBase: string) =>
  `The new release was built for ${builtAddress}, and this server serves ${servedBase}, so it keeps its current release. Build again with SITE_URL=${servedBase}, or restart the server with SITE_URL=${builtAddress}.`;

/**
 * Serves the release in the folder `outDir`, built from `site`. @throws {StartError} when the
 * address is unavailable
 */
export async function serve(
  settings: Pick<Settings, 'outDir' | 'host' | 'port' | 'rateLimitReads' | 'rateLimitWrites'> &
    Partial<Pick<Settings, 'metricsPort'>> &
    ReleaseSettings,
  database: Database,
  log: Logger,
  site?: Site,
): Promise<Service> {
  const { outDir, host, port, metricsPort } = settings;
  const checkRateLimit = createRateLimitCheck({
    reads: settings.rateLimitReads,
    writes: settings.rateLimitWrites,
  });
  const capabilities = await createCapabilityContext(settings);
  let stopPromise: Promise<void> | undefined;
  const isStopping = () => stopPromise !== undefined;

  const shared = { settings, database, log, checkRateLimit, capabilities, isStopping };
  const first = createServedRelease(openRelease(outDir, site), shared);
  const metrics =
    metricsPort === undefined
      ? undefined
      : await (await import('./metrics.ts')).startMetrics(metricsPort, first.program.context);

  let { program, release } = first;
  const server = await listen(
    createHandler({ program: () => program, log, onResponse: metrics?.onResponse, isStopping }),
    host,
    port,
    createConnectionLimits(settings.trustProxy),
  );
  let work = first.startWork(metrics?.onAttempt);
  const { code } = readStamp(outDir) ?? {};

  const replaceRelease = async (folder: string, allowOtherAddress: boolean) => {
    const builtSite = readBuiltSite(folder);
    const { base } = release.site;
    if (builtSite.base !== base && !allowOtherAddress) {
      log.error({ release: basename(folder) }, describeOtherAddress(builtSite.base, base));
      return;
    }
    const next = createServedRelease(openRelease(folder, builtSite), shared);
    await next.warm();
    if (isStopping()) return;
    const { arena } = release;
    const previousWork = work;
    ({ program, release } = next);
    work = next.startWork(metrics?.onAttempt);
    setTimeout(() => arena.close(), MAX_REQUEST_MS).unref();
    log.info({ release: basename(folder) }, 'Now serving the release.');
    for (const notice of listReceiptKeyNotices(settings.receiptSigningKey, builtSite))
      log.warn(notice);
    if (readStamp(folder)?.code !== code)
      log.warn('The new release has different server code. Restart the server to run it.');
    await previousWork.stop();
    await listRemovedActionNotices({ site: builtSite, database }).then(
      (notices) => notices.forEach((notice) => log.warn(notice)),
      (error: unknown) =>
        log.warn({ err: error }, 'Leads of removed subsites and actions cannot be listed.'),
    );
  };
  let replacement = Promise.resolve();
  const stop = async () => {
    waitListOf(database).close();
    await close(server, GRACE_MS);
    await Promise.all([replacement, work.stop(), metrics?.stop()]);
    await database.close();
    release.arena.close();
  };
  return {
    port: (server.address() as AddressInfo).port,
    metricsPort: metrics?.port,
    documents: [...release.arena.paths()].length,
    async takeOver(folder, { allowOtherAddress = false } = {}) {
      if (isStopping()) return;
      replacement = replacement
        .then(() => replaceRelease(folder, allowOtherAddress))
        .catch((error: unknown) =>
          log.error({ err: error, release: basename(folder) }, 'The release cannot be served.'),
        );
      await replacement;
    },
    warm: () =>
      first
        .warm()
        .catch((error: unknown) => log.error({ err: error }, 'Pages cannot be rendered.')),
    stop: () => (stopPromise ??= stop()),
  };
}
