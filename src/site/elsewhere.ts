import type { Subsite } from '../registry/subsite.ts';

/** Query parameter of the search page: the name of an excluded subsite. */
export const WITHOUT_PARAMETER = 'without';

/**
 * Site-relative URL of a search for another provider of a subsite's service, by its purpose rather
 * than by a form's name, and excluding the subsite.
 */
export function elsewherePath(
  lead: { subsite: string },
  subsite: Pick<Subsite, 'title'> | undefined,
): string {
  const query = new URLSearchParams({
    q: subsite?.title ?? lead.subsite,
    [WITHOUT_PARAMETER]: lead.subsite,
  });
  return `/find?${query.toString()}`;
}

/**
 * The result filter of such a search, from its URL parameters: services that take requests, except
 * for the excluded one. Any other search keeps everything.
 */
export function elsewhereFilter(
  parameters: URLSearchParams,
): (entry: { subsite: string; requests?: unknown }) => boolean {
  const without = parameters.get(WITHOUT_PARAMETER);
  return ({ subsite, requests }) =>
    without === null || (subsite !== without && requests !== undefined);
}
