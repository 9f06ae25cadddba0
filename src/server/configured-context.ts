import type { Logger } from 'pino';
import type { Database } from '../../db/index.ts';
import { createPushChannel } from '../a2a/push-channel.ts';
import {
  createProviderChannels,
  type DeliverySettings,
  personMailSettingsOf,
  createCustomerChannels,
} from '../leads/deliveries/index.ts';
import type { Budgets, Context } from '../operation/context.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site/site.ts';
import type { CapabilitySettings } from './capability-context.ts';
import { createContext } from './create-context.ts';
import { type BackgroundJobOptions, startBackgroundJobs } from './background-jobs.ts';

export type ContextSettings = Partial<Pick<Settings, 'linkSecret'>> &
  ((Budgets & { budgets: boolean }) | { budgets?: false }) &
  CapabilitySettings &
  DeliverySettings;

export interface ContextParts {
  settings: ContextSettings;
  database: Database;
  log: Logger;
  capabilities: Pick<Context, 'jobProviders' | 'signReceipt' | 'signDocument'>;
}

/** The context of a site with these settings, and its background work. */
export interface ConfiguredContext {
  context: Context;
  canDeliver: boolean;
  startWork: (options?: Pick<BackgroundJobOptions, 'operator' | 'onAttempt'>) => {
    stop: () => Promise<unknown>;
  };
}

/** Prepares the context of a site; nothing runs yet. */
export function createConfiguredContext(
  site: Site,
  { settings, database, log, capabilities }: ContextParts,
): ConfiguredContext {
  const channelContext = { site, now: () => new Date() };
  const channels = createProviderChannels(settings, channelContext);
  const customerChannels = [
    ...createCustomerChannels(settings, channelContext),
    createPushChannel({
      allowPrivate: settings.allowPrivateTargets ?? false,
      now: channelContext.now,
    }),
  ];
  const context = createContext({
    site,
    database,
    log,
    channels: channels.map(({ name }) => name),
    ...personMailSettingsOf(settings),
    ...(settings.linkSecret && { linkSecret: settings.linkSecret }),
    ...(settings.budgets && { budgets: settings }),
    refusesPrivateTargets: !settings.allowPrivateTargets,
    ...capabilities,
  });
  return {
    context,
    canDeliver: channels.length > 0,
    startWork: (options) =>
      startBackgroundJobs({
        channels: [...channels, ...customerChannels],
        context,
        ...options,
      }),
  };
}
