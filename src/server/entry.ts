import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Database } from '../../db/index.ts';
import { channelsOf, type DeliverySettings } from '../deliveries/index.ts';
import { createContext } from '../operations/index.ts';
import type { Site } from '../registry/index.ts';
import type { Settings } from '../settings.ts';
import { openArena } from './arena.ts';
import { readBuiltSite } from './built-site.ts';
import { type CapabilitySettings, capabilityWorld } from './capability-world.ts';
import { type AstroHandler, makeHandler } from './handle.ts';
import { close, listen } from './listen.ts';
import { startOutboxWorker } from './outbox-worker.ts';
import { startTaskScheduler } from './task-scheduler.ts';

/** Time that requests in flight have to finish when the service stops, in ms. */
const GRACE_MS = 10_000;

/** A service that answers. */
export interface Service {
  port: number;
  /** Paths that stand in the memory tier. */
  documents: number;
  /** Refuses new work, finishes what is in flight, then closes the database. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Serves a build; `site` is the one that it was made from.
 * @throws {StartError} when the address cannot be had.
 */
export async function serve(settings: Pick<Settings, 'outDir' | 'host' | 'port' | 'trustProxy'> & Partial<Pick<Settings, 'linkSecret' | 'metricsPort'>> & CapabilitySettings & DeliverySettings, database: Database, log: Logger, site: Site = readBuiltSite(settings.outDir)): Promise<Service> {
  const { outDir, host, port, trustProxy, linkSecret, metricsPort } = settings;
  const arena = openArena(outDir);
  const { handler } = (await import(pathToFileURL(resolve(outDir, 'server/entry.mjs')).href)) as { handler: AstroHandler };
  const channels = channelsOf(settings, { site, now: () => new Date() });
  const context = createContext({ site, database, log, channels: channels.map(({ name }) => name), ...(linkSecret && { linkSecret }), ...(await capabilityWorld(settings)) });
  let stopped: Promise<void> | undefined;
  const metrics = metricsPort === undefined ? undefined : await (await import('./metrics.ts')).startMetrics(metricsPort, context);
  const server = await listen(makeHandler({ arena, astro: handler, context, log, trustProxy, delivers: channels.length > 0, onAnswer: metrics?.onAnswer, stopping: () => stopped !== undefined }), host, port);
  const outbox = startOutboxWorker({ channels, context, ...(metrics && { onAttempt: metrics.onAttempt }) });
  const scheduler = startTaskScheduler(context);
  const stop = async () => {
    await close(server, GRACE_MS);
    await Promise.all([scheduler.stop(), outbox.stop(), metrics?.stop()]);
    await database.close();
    arena.close();
  };
  return {
    port: (server.address() as AddressInfo).port,
    documents: [...arena.paths()].length,
    stop: () => (stopped ??= stop()),
  };
}
