import type { Catalog } from '../registry/schemas/catalog.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';

/** True if a subsite has feeds: its articles are public and have pages. */
export const hasFeed = ({ status }: Subsite, catalog: Catalog | undefined): boolean =>
  status === 'public' && catalog?.schemaType === 'Article' && catalog.route !== undefined;

export const feedPaths = ({ url }: Pick<Subsite, 'url'>): { rss: string; json: string } => ({
  rss: `${url}/feed.xml`,
  json: `${url}/feed.json`,
});
