import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../../db/index.ts';
import {
  requesterChannelsOf,
  channelsOf,
  type DeliverySettings,
  mailsPeople,
  operatorOf,
} from '../leads/deliveries/index.ts';
import { pushChannel } from '../a2a/push-channel.ts';
import { storeContracts } from '../leads/submit/contracts.ts';
import { waitListOf } from '../operation/waits.ts';
import type { Budgets } from '../operation/context.ts';
import { createContext } from './create-context.ts';
import type { Site } from '../site/site.ts';
import { readStamp } from '../build/stamp.ts';
import { readSome, type Settings } from '../settings.ts';
import { rateLimits } from '../http/rate-limit.ts';
import { readBuiltSite } from './built-site.ts';
import { type CapabilitySettings, capabilityContext } from './capability-context.ts';
import { makeHandler } from './handle.ts';
import { readHealth } from './health.ts';
import { prepareKnowledge } from '../search/knowledge.ts';
import { close, listen } from './listen.ts';
import { startOutboxWorker } from './outbox-worker.ts';
import { createProgram } from './program.ts';
import { openRelease, type Release } from './release.ts';
import { startTaskScheduler } from './task-scheduler.ts';

/** Time that requests in flight have to finish when the service stops, in ms. */
const GRACE_MS = 10_000;

/**
 * Time after which a replaced release has no more requests, in ms: longer than a request may take
 * to arrive and wait for a change.
 */
const LONGEST_REQUEST_MS = 180_000;

/** A running service. */
export interface Service {
  port: number;
  /** Port of the metrics, if enabled. */
  metricsPort: number | undefined;
  /** Paths in the memory tier. */
  documents: number;
  /**
   * Serves another release from now on. Requests in progress finish with the previous one. If the
   * release cannot be opened, or was built for another SITE_URL and `otherAddress` does not allow
   * that, the log says so and the previous one stays.
   */
  takeOver: (release: string, options?: { otherAddress?: boolean }) => Promise<void>;
  /**
   * Preloads what the first rendered page and the first question need, after startup. Errors are
   * logged.
   */
  warm: () => Promise<void>;
  /**
   * Refuses new work, finishes requests in flight, then closes the database. May be called twice.
   */
  stop: () => Promise<void>;
}

/**
 * Serves the release in the folder `outDir`, built from `site`. @throws {StartError} when the
 * address is unavailable
 */
export async function serve(
  settings: Pick<Settings, 'outDir' | 'host' | 'port' | 'trustProxy'> &
    Partial<Pick<Settings, 'linkSecret' | 'metricsPort'>> &
    ((Budgets & { budgets: boolean }) | { budgets?: false }) &
    CapabilitySettings &
    DeliverySettings,
  database: Database,
  log: Logger,
  site?: Site,
): Promise<Service> {
  const { outDir, host, port, trustProxy, linkSecret, metricsPort } = settings;
  const { rateLimitReads, rateLimitWrites } = readSome(['rateLimitReads', 'rateLimitWrites']);
  const limits = rateLimits({ reads: rateLimitReads, writes: rateLimitWrites });
  const capabilities = await capabilityContext(settings);
  let stopped: Promise<void> | undefined;
  const stopping = () => stopped !== undefined;

  const prepare = (release: Release) => {
    const served = { site: release.site, now: () => new Date() };
    const channels = channelsOf(settings, served);
    const requesterChannels = [
      ...requesterChannelsOf(settings, served),
      pushChannel({ allowPrivate: settings.allowPrivateTargets ?? false, now: served.now }),
    ];
    const context = createContext({
      site: release.site,
      database,
      log,
      channels: channels.map(({ name }) => name),
      mailsPeople: mailsPeople(settings),
      ...(linkSecret && { linkSecret }),
      ...(settings.budgets && { budgets: settings }),
      refusesPrivateTargets: !settings.allowPrivateTargets,
      ...capabilities,
    });
    const health = () => readHealth({ context, delivers: channels.length > 0, stopping });
    const program = createProgram({ release, context, limits, trustProxy, health });
    return { release, channels: [...channels, ...requesterChannels], context, program };
  };
  type Prepared = ReturnType<typeof prepare>;
  /**
   * Stores the contracts of a release. If this fails, callers cannot see later what changed in
   * them; the service still runs.
   */
  const storeContractsOf = ({ context }: Prepared) =>
    storeContracts(context).catch((error: unknown) =>
      log.warn({ err: error }, 'The contracts of this release could not be stored.'),
    );

  const warm = async ({ release: release }: Prepared) => {
    await release.warm();
    prepareKnowledge(release.site);
  };

  const first = prepare(openRelease(outDir, site));
  const metrics =
    metricsPort === undefined
      ? undefined
      : await (await import('./metrics.ts')).startMetrics(metricsPort, first.context);
  /** Starts the background work of a release. */
  const startWork = ({ channels, context }: Prepared) => {
    const outbox = startOutboxWorker({
      channels,
      context,
      operator: operatorOf(settings, context.site),
      ...(metrics && { onAttempt: metrics.onAttempt }),
    });
    const scheduler = startTaskScheduler(context);
    return { stop: () => Promise.all([scheduler.stop(), outbox.stop()]) };
  };

  let { program, release } = first;
  const server = await listen(
    makeHandler({ program: () => program, log, onResponse: metrics?.onResponse, stopping }),
    host,
    port,
  );
  let storingContracts = storeContractsOf(first);
  let backgroundWork = startWork(first);
  const { code } = readStamp(outDir) ?? {};

  const replace = async (folder: string, otherAddress: boolean) => {
    const built = readBuiltSite(folder);
    const { base } = release.site;
    if (built.base !== base && !otherAddress) {
      log.error(
        { release: basename(folder) },
        `The new release was built for ${built.base}, and this server serves ${base}, so it keeps the release it has. Build again with SITE_URL=${base}, or restart the server with SITE_URL=${built.base}.`,
      );
      return;
    }
    const next = prepare(openRelease(folder, built));
    await warm(next);
    if (stopping()) return;
    storingContracts = storeContractsOf(next);
    const { arena } = release;
    const previousWork = backgroundWork;
    ({ program, release } = next);
    backgroundWork = startWork(next);
    setTimeout(() => arena.close(), LONGEST_REQUEST_MS).unref();
    log.info({ release: basename(folder) }, 'Now serving the release.');
    if (readStamp(folder)?.code !== code)
      log.warn('The new release has different server code. Restart the server to run it.');
    await previousWork.stop();
  };
  const stop = async () => {
    waitListOf(database).close();
    await close(server, GRACE_MS);
    await Promise.all([backgroundWork.stop(), metrics?.stop(), storingContracts]);
    await database.close();
    release.arena.close();
  };
  return {
    port: (server.address() as AddressInfo).port,
    metricsPort: metrics?.port,
    documents: [...release.arena.paths()].length,
    async takeOver(folder, { otherAddress = false } = {}) {
      if (stopping()) return;
      await replace(folder, otherAddress).catch((error: unknown) =>
        log.error({ err: error, release: basename(folder) }, 'The release cannot be served.'),
      );
    },
    warm: () =>
      warm(first).catch((error: unknown) => log.error({ err: error }, 'Pages cannot be rendered.')),
    stop: () => (stopped ??= stop()),
  };
}
