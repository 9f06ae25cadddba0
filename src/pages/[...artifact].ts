import type { APIRoute, GetStaticPaths } from 'astro';
import { renderDocumentForServing, type Placement, listPlacements } from '../artifacts/index.ts';
import { buildSite } from '../build-site.ts';
import { readBuildSettings } from '../settings.ts';

export const prerender = true;

export const getStaticPaths: GetStaticPaths = () => {
  const site = buildSite();
  const paths = listPlacements(site).flatMap((placement) => {
    const cacheKey = placement.artifact.digest?.(placement.key, site);
    return [placement.path, ...placement.aliases].map((path) => ({
      params: { artifact: path.slice(1) },
      props: { placement },
      ...(cacheKey && { cacheKey }),
    }));
  });
  // Documents about the whole network use the most memory, so they come first.
  return [
    ...paths.filter(({ cacheKey }) => !cacheKey),
    ...paths.filter(({ cacheKey }) => cacheKey),
  ];
};

const { agentCardKey } = readBuildSettings();

export const GET: APIRoute<{ placement: Placement }> = async ({ props: { placement } }) =>
  new Response(await renderDocumentForServing(placement, buildSite(), agentCardKey), {
    headers: { 'content-type': placement.artifact.mediaType },
  });
