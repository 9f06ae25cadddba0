import { digestOf, pageDigest, recordDigest } from '../site/digest.ts';
import { onceFor } from '../site/once-for.ts';
import type { Registry } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import type { SitePage } from '../site/pages-of-site.ts';
import { houseSubsites } from './house-subsites.ts';
import { ownPictures } from './social-image/choice.ts';
import { subsiteAbove } from '../site/subsite-above.ts';

/** Digest of what the frame of every page shows of other subsites. */
const frameDigest = onceFor((registry: Registry) =>
  digestOf([ownPictures(registry), houseSubsites(registry).map(({ title, url }) => [title, url])]),
);

/**
 * Digest of everything that a page’s HTML is made of beside the code; undefined where it is made of
 * the whole network.
 */
export function pageKey(site: Site, page: SitePage): string | undefined {
  const text = pageDigest(site, page);
  const above = page.kind === 'page' ? subsiteAbove(site.registry, page.path) : undefined;
  return text && digestOf([text, frameDigest(site.registry), above && recordDigest(above)]);
}
