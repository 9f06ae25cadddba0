import { digestOf, pageDigest, recordDigest } from '../site/digest.ts';
import type { Registry } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import type { SitePage } from '../site/pages-of-site.ts';
import { houseSubsites } from './house-subsites.ts';
import { hasOwnPictures } from './social-image/choice.ts';
import { subsiteAbove } from '../site/subsite-above.ts';

const frames = new WeakMap<Registry, string>();

/** Digest of what the frame of every page shows of other subsites. */
function frameDigest(registry: Registry): string {
  let digest = frames.get(registry);
  if (!digest)
    frames.set(
      registry,
      (digest = digestOf([
        hasOwnPictures(registry),
        houseSubsites(registry).map(({ title, url }) => [title, url]),
      ])),
    );
  return digest;
}

/** Digest of everything that a page’s HTML is made of beside the code; undefined where that is the whole network. */
export function pageKey(site: Site, page: SitePage): string | undefined {
  const text = pageDigest(site, page);
  const above = page.kind === 'page' ? subsiteAbove(site.registry, page.path) : undefined;
  return text && digestOf([text, frameDigest(site.registry), above && recordDigest(above)]);
}
