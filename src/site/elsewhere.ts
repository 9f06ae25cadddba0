import type { Subsite } from '../registry/subsite.ts';

/** Query parameter of the search page: the subsite that is left out, by name. */
export const WITHOUT_PARAMETER = 'without';

/**
 * The search for somebody else who does what a subsite does, for whoever it could not help:
 * site-relative, by what the subsite does and not by the name of a form, and without the subsite.
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
 * What a search for somebody else keeps, by the parameters of its address: services that take
 * requests, but for the one that is left out. Any other search keeps everything.
 */
export function keptElsewhere(
  parameters: URLSearchParams,
): (entry: { subsite: string; requests?: unknown }) => boolean {
  const without = parameters.get(WITHOUT_PARAMETER);
  return ({ subsite, requests }) =>
    without === null || (subsite !== without && requests !== undefined);
}
