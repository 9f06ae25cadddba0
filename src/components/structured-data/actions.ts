import type { Action as SchemaAction, EntryPoint } from 'schema-dts';
import type { Action } from '../../registry/schemas/action.ts';
import { listOfferedActions } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';

type CallableAction = Exclude<SchemaAction, string>;

/** The schema.org action type for each effect; a plain lead is a communication request. */
const actionTypes = {
  hold: 'ReserveAction',
  route: 'ChooseAction',
  storefront: 'CreateAction',
  import: 'ReceiveAction',
} as const satisfies Record<NonNullable<Action['effect']>['kind'], string>;

/** The API calls that agents can make for a subsite; empty in a static build. */
export function createPotentialActions(site: Site, subsite: Subsite): CallableAction[] {
  if (!site.dynamic) return [];
  const target: EntryPoint = {
    '@type': 'EntryPoint',
    urlTemplate: `${site.base}${subsite.leadEndpoint}`,
    httpMethod: 'POST',
    encodingType: 'application/json',
    contentType: 'application/json',
  };
  return listOfferedActions(subsite).map((action) => ({
    '@type': action.effect ? actionTypes[action.effect.kind] : 'AskAction',
    name: action.title,
    description: action.description,
    target,
  }));
}
