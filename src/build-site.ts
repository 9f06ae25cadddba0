import { shiftExampleDates } from './registry/bookable-examples.ts';
import { loadRegistry } from './registry/index.ts';
import { publicKeyOf } from './site/developer/public-key.ts';
import type { Site } from './site/site.ts';
import { serviceRules } from './build/service-rules.ts';
import { readBuildSettings } from './settings.ts';

/**
 * Global key of the site: the pages and the integrations of a build are loaded separately and must
 * share one build time.
 */
const SITE_KEY = Symbol.for('frontage.build-site');

const globalScope = globalThis as { [SITE_KEY]?: Site | undefined };

/** The site to build, from the registry folder and the build settings, which are read once. */
export function buildSite(): Site {
  if (!globalScope[SITE_KEY]) {
    const { registryDir, siteUrl, dynamic, buildTime, agentCardKey, receiptSigningKey } =
      readBuildSettings();
    globalScope[SITE_KEY] = {
      registry: shiftExampleDates(loadRegistry(registryDir, serviceRules), buildTime),
      base: siteUrl,
      generatedAt: buildTime.toISOString(),
      dynamic,
      ...(agentCardKey && { cardKey: publicKeyOf(agentCardKey) }),
      ...(receiptSigningKey && { receiptKey: publicKeyOf(receiptSigningKey) }),
    };
  }
  return globalScope[SITE_KEY];
}

/** Makes the next call read the registry again. */
export const discardSite = (): void => {
  globalScope[SITE_KEY] = undefined;
};
