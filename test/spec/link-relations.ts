import type { Site } from '../../src/site/site.ts';

/**
 * Link relations that every page and the index must have, with their targets; the target of
 * `alternate` depends on the page.
 */
export const createLinkRelations = ({ base, registry }: Site): Record<string, string> => ({
  'api-catalog': `${base}/.well-known/api-catalog`,
  ard: `${base}/.well-known/ard.json`,
  'ai-catalog': `${base}/.well-known/ai-catalog.json`,
  'service-desc': `${base}/api/openapi.json`,
  'service-doc': `${base}${registry.network.agentArea}`,
  describedby: `${base}/llms.txt`,
});

/** Targets of a Link header (RFC 8288) by relation. */
export const linksOf = (header: string | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(header ?? '').matchAll(/<([^>]+)>; rel="([^"]+)"/g)].map(([, target, relation]) => [
      relation!,
      target!,
    ]),
  );
