import type { Action as SchemaAction, EntryPoint } from 'schema-dts';
import type { Action, Site, Subsite } from '../../registry/index.ts';

type CallableAction = Exclude<SchemaAction, string>;

/** How each effect reads in schema.org; a plain lead is a request that somebody answers. */
const types = { hold: 'ReserveAction', route: 'ChooseAction', storefront: 'CreateAction', import: 'ReceiveAction' } as const satisfies Record<NonNullable<Action['effect']>['kind'], string>;

/** What an agent may call for a subsite; nothing where no dynamic endpoints are served. */
export function potentialActions(site: Site, subsite: Subsite): CallableAction[] {
  if (!site.dynamic) return [];
  const target: EntryPoint = {
    '@type': 'EntryPoint',
    urlTemplate: `${site.base}${subsite.leadEndpoint}`,
    httpMethod: 'POST',
    encodingType: 'application/json',
    contentType: 'application/json',
  };
  return subsite.actions
    .filter((action) => action.effect?.kind !== 'import')
    .map((action) => ({ '@type': action.effect ? types[action.effect.kind] : 'AskAction', name: action.title, description: action.description, target }) as CallableAction);
}
