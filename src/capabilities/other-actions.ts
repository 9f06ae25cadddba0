import type { Findings } from '../search/find-need.ts';
import { groupEntriesBySubsite, orderActions } from '../search/services-to-ask.ts';
import { capabilityCatalogOf } from './capability-catalog.ts';
import type { CapabilityRecord } from '../site/capability-record.ts';
import { memoize } from '../site/memoize.ts';
import { findNearest } from '../site/corrections/similar-names.ts';
import { findSubsite, listOfferedActions } from '../site/registry.ts';
import type { Site } from '../site/site.ts';

/**
 * Where to submit an action that is not a capability; without `action`, the subsite has no actions.
 */
export interface OtherAction {
  subsite: string;
  action?: string;
  /** URL of the manifest, with the fields of each action. */
  manifestUrl: string;
}

/** The ID that an action would have as a capability. */
const idOf = ({ subsite, action }: OtherAction) => `${subsite}.${action}`;

/** The offered actions that are not in the catalog, by the ID that they would have in it. */
const listOtherActions = memoize((site: Site): ReadonlyMap<string, OtherAction> => {
  const catalog = capabilityCatalogOf(site);
  const actions = site.registry.subsites.flatMap((subsite) =>
    listOfferedActions(subsite).map(({ verb }) => createOtherAction(subsite.name, verb, site)),
  );
  return new Map(
    actions
      .map((otherAction) => [idOf(otherAction), otherAction] as const)
      .filter(([id]) => !catalog.has(id)),
  );
});

const createOtherAction = (
  subsite: string,
  action: string | undefined,
  { base }: Site,
): OtherAction => ({
  subsite,
  ...(action !== undefined && { action }),
  manifestUrl: `${base}/api/agent/${subsite}`,
});

/**
 * Sentences that explain how to use an action or a subsite that has no capability, or none that the
 * caller can use.
 */
export function formatActionAdvice(otherAction: OtherAction, site: Site): string {
  const { subsite, action, manifestUrl } = otherAction;
  const { base } = site;
  const isCapability = capabilityCatalogOf(site).has(idOf(otherAction));
  return action === undefined
    ? `The subsite ${subsite} has no capabilities: ${manifestUrl} describes it.`
    : `${action} is an action of the subsite ${subsite}${isCapability ? '; this key does not allow its capability' : ', not a capability'}. Submit it without a key: call submit_action at ${base}/api/mcp, or POST to ${base}/api/lead/action. ${manifestUrl} has its fields.`;
}

/** The subsites that have a capability. */
const listCoveredSubsites = memoize(
  (site: Site): ReadonlySet<string | undefined> =>
    new Set([...capabilityCatalogOf(site).values()].map(({ subsite }) => subsite)),
);

/**
 * Advice for an ID that is not among `ids`: the action or subsite that it names, or the closest
 * known ID. The advice starts with a space; it is empty if no known ID is close.
 */
export function formatUnknownIdAdvice(id: string, ids: readonly string[], site: Site): string {
  if (id.length > 100) return '';
  const otherActions = listOtherActions(site);
  const suggestion = findNearest(id, [...ids, ...otherActions.keys()]);
  const suggestedAction = suggestion === undefined ? undefined : otherActions.get(suggestion);
  if (suggestedAction)
    return `${suggestion === id ? '' : ` Did you mean ${suggestion}?`} ${formatActionAdvice(suggestedAction, site)}`;
  const subsiteName = id.split('.').find((part) => findSubsite(site.registry, part));
  if (subsiteName !== undefined && !listCoveredSubsites(site).has(subsiteName))
    return ` ${formatActionAdvice(createOtherAction(subsiteName, undefined, site), site)}`;
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
}

/**
 * The actions of the services found, best match first, if the caller cannot use a capability of the
 * best match; otherwise, none.
 */
export function listActionsOutsideCatalog(
  found: Findings['found'],
  site: Site,
  canUse: (capability: CapabilityRecord) => boolean,
): OtherAction[] {
  const catalog = capabilityCatalogOf(site);
  const subsitesInCatalog = listCoveredSubsites(site);
  const uncoveredActions = groupEntriesBySubsite(found).map(([name, entries]) => {
    const [first] = orderActions(findSubsite(site.registry, name)!, entries);
    const otherAction = createOtherAction(name, first?.verb, site);
    const capability = catalog.get(idOf(otherAction));
    return (first ? !capability || !canUse(capability) : !subsitesInCatalog.has(name))
      ? otherAction
      : undefined;
  });
  return uncoveredActions[0]
    ? uncoveredActions.filter((otherAction) => otherAction !== undefined)
    : [];
}
