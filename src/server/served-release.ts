import type { CheckRateLimit } from '../http/rate-limit.ts';
import type { OnAttempt } from '../leads/deliveries/deliver.ts';
import { createOperatorMail } from '../leads/deliveries/index.ts';
import { prepareKnowledge } from '../search/knowledge.ts';
import type { Settings } from '../settings.ts';
import {
  createConfiguredContext,
  type ContextParts,
  type ContextSettings,
} from './configured-context.ts';
import { readHealth } from './health.ts';
import { createProgram, type Program } from './program.ts';
import type { Release } from './release.ts';

export type ReleaseSettings = Pick<Settings, 'trustProxy'> & ContextSettings;

/** The state that all releases of a server share. */
interface SharedParts extends ContextParts {
  settings: ReleaseSettings;
  checkRateLimit: CheckRateLimit;
  isStopping: () => boolean;
}

/** A release, with the program that serves it and its background work. */
export interface ServedRelease {
  release: Release;
  program: Program;
  /** Preloads what the first rendered page and the first question need. */
  warm: () => Promise<void>;
  /** Starts the background jobs of the release. */
  startWork: (onAttempt: OnAttempt | undefined) => { stop: () => Promise<unknown> };
}

/** Prepares a release to be served; nothing runs yet. */
export function createServedRelease(release: Release, shared: SharedParts): ServedRelease {
  const { settings, checkRateLimit, isStopping } = shared;
  const { site } = release;
  const { context, canDeliver, startWork } = createConfiguredContext(site, shared);
  const checkHealth = () => readHealth({ context, canDeliver, isStopping });
  return {
    release,
    program: createProgram({
      release,
      context,
      checkRateLimit,
      trustProxy: settings.trustProxy,
      checkHealth,
    }),
    async warm() {
      await release.warm();
      await prepareKnowledge(site);
    },
    startWork: (onAttempt) =>
      startWork({
        operator: createOperatorMail(settings, site),
        ...(onAttempt && { onAttempt }),
      }),
  };
}
