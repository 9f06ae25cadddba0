import type { Logger } from 'pino';
import type { Database } from '../../db/index.ts';
import { pushChannel } from '../a2a/push-channel.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { OnAttempt } from '../leads/deliveries/deliver.ts';
import {
  channelsOf,
  type DeliverySettings,
  mailsPeople,
  operatorOf,
  requesterChannelsOf,
} from '../leads/deliveries/index.ts';
import { storeContracts } from '../leads/submit/contracts.ts';
import type { Budgets, Context } from '../operation/context.ts';
import { prepareKnowledge } from '../search/knowledge.ts';
import type { Settings } from '../settings.ts';
import type { CapabilitySettings } from './capability-context.ts';
import { createContext } from './create-context.ts';
import { readHealth } from './health.ts';
import { startOutboxWorker } from './outbox-worker.ts';
import { createProgram, type Program } from './program.ts';
import type { Release } from './release.ts';
import { startTaskScheduler } from './task-scheduler.ts';

/** Settings that each release is served with. */
export type ReleaseSettings = Pick<Settings, 'trustProxy'> &
  Partial<Pick<Settings, 'linkSecret'>> &
  ((Budgets & { budgets: boolean }) | { budgets?: false }) &
  CapabilitySettings &
  DeliverySettings;

/** What all releases that a server serves one after another have in common. */
interface Shared {
  settings: ReleaseSettings;
  database: Database;
  log: Logger;
  limits: RateLimits;
  capabilities: Pick<Context, 'providers' | 'signReceipt' | 'signDocument'>;
  stopping: () => boolean;
}

/** A release with the program that answers from it and its background work. */
export interface ServedRelease {
  release: Release;
  context: Context;
  program: Program;
  /** Preloads what the first rendered page and the first question need. */
  warm: () => Promise<void>;
  /**
   * Stores the contracts of the release. If this fails, callers cannot see later what changed in
   * them; the service still runs.
   */
  storeContracts: () => Promise<void>;
  /** Starts deliveries and tasks. */
  startWork: (onAttempt: OnAttempt | undefined) => { stop: () => Promise<unknown> };
}

/** Prepares a release to be served; nothing runs yet. */
export function servedRelease(
  release: Release,
  { settings, database, log, limits, capabilities, stopping }: Shared,
): ServedRelease {
  const { site } = release;
  const { trustProxy, linkSecret } = settings;
  const served = { site, now: () => new Date() };
  const channels = channelsOf(settings, served);
  const requesterChannels = [
    ...requesterChannelsOf(settings, served),
    pushChannel({ allowPrivate: settings.allowPrivateTargets ?? false, now: served.now }),
  ];
  const context = createContext({
    site,
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
  return {
    release,
    context,
    program: createProgram({ release, context, limits, trustProxy, health }),
    async warm() {
      await release.warm();
      prepareKnowledge(site);
    },
    storeContracts: () =>
      storeContracts(context).catch((error: unknown) =>
        log.warn({ err: error }, 'The contracts of this release could not be stored.'),
      ),
    startWork(onAttempt) {
      const outbox = startOutboxWorker({
        channels: [...channels, ...requesterChannels],
        context,
        operator: operatorOf(settings, site),
        ...(onAttempt && { onAttempt }),
      });
      const scheduler = startTaskScheduler(context);
      return { stop: () => Promise.all([scheduler.stop(), outbox.stop()]) };
    },
  };
}
