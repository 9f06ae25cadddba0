import { withBookableExamples } from './registry/bookable-examples.ts';
import { loadRegistry } from './registry/index.ts';
import { publicKeyOf } from './site/developer/public-key.ts';
import type { Site } from './site/site.ts';
import { serviceRules } from './build/service-rules.ts';
import { readBuildSettings } from './settings.ts';

/**
 * The pages and the integrations of one build are loaded separately, and must agree on the time.
 */
const BUILT = Symbol.for('frontage.build-site');

const shared = globalThis as { [BUILT]?: Site | undefined };

/** The site to build, from the registry folder and the build settings, read once. */
export function buildSite(): Site {
  if (!shared[BUILT]) {
    const { registryDir, siteUrl, dynamic, buildTime, agentCardKey, receiptSigningKey } =
      readBuildSettings();
    shared[BUILT] = {
      registry: withBookableExamples(loadRegistry(registryDir, serviceRules), buildTime),
      base: siteUrl,
      generatedAt: buildTime.toISOString(),
      dynamic,
      ...(agentCardKey && { cardKey: publicKeyOf(agentCardKey) }),
      ...(receiptSigningKey && { receiptKey: publicKeyOf(receiptSigningKey) }),
    };
  }
  return shared[BUILT];
}

/** Makes the next call read the registry again. */
export const forgetSite = (): void => {
  shared[BUILT] = undefined;
};
