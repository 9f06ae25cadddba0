import type { Records } from './rule.ts';

/** Lists the paths and routes of pages, including item routes and the agent services area. */
export function findRoutesWithPages({
  subsites,
  pages,
  catalogs,
  network: { agentArea },
}: Records): Set<string> {
  return new Set([
    '/',
    ...subsites.map((subsite) => subsite.url),
    ...pages.map((page) => page.path),
    ...Object.values(catalogs).flatMap((catalog) => catalog.route ?? []),
    ...(agentArea === undefined ? [] : [agentArea, `${agentArea}/[id]`]),
  ]);
}
