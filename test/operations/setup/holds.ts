import { exampleValuesOf } from '../../../src/fields/fields.ts';
import { submitAction } from '../../../src/leads/submit/submit-action.ts';
import type { Call } from '../../../src/operation/operation.ts';
import type { Effect } from '../../../src/registry/schemas/action.ts';
import { itemsOf } from '../../../src/site/registry.ts';
import { listActions } from './actions.ts';
import { sites, type Fixture } from './fixture.ts';

export const [{ site }] = sites as unknown as [(typeof sites)[number]];
export const HOUR = 3_600_000;

/** The network’s first action with the given kind of effect. */
export function findActionWithEffect<Kind extends Effect['kind']>(kind: Kind) {
  const verb = listActions(site).find(({ action }) => action.effect?.kind === kind);
  if (!verb) throw new Error(`No action has the effect ${kind}.`);
  return { ...verb, effect: verb.action.effect as Extract<Effect, { kind: Kind }> };
}

export const holdAction = findActionWithEffect('hold');
export const items = itemsOf(site.registry, holdAction.effect.catalog);
export const units = items.reduce((sum, item) => sum + (item.units ?? 1), 0);
/** Every unit in the catalog. */
export const allUnits = items.flatMap(({ id, units: count = 1 }) =>
  Array.from({ length: count }, () => id),
);

/** The date of a day, counted from the start of the tests. */
export const toDate = (ahead: number): string =>
  new Date(Date.parse(site.generatedAt) + ahead * 24 * HOUR).toISOString().slice(0, 10);

/** Number of days from the start of the tests to a date. */
export const countDaysFromStart = (date: string): number =>
  (Date.parse(date) - Date.parse(toDate(0))) / (24 * HOUR);

interface HoldRequest {
  item?: string;
  /** First and last day, counted from the start of the tests. */
  from?: number;
  to?: number;
  contact?: Record<string, string>;
  address?: string;
  sandbox?: boolean;
}

export const hold = (
  { context }: Pick<Fixture, 'context'>,
  { item = allUnits[0]!, from = 1, to = from, contact = {}, address, sandbox = false }: HoldRequest,
  more: Partial<Call> = {},
) => {
  const { itemField, fromField, toField } = holdAction.effect;
  return submitAction.handle(
    submitAction.parse(
      {
        subsite: holdAction.subsite.name,
        action: holdAction.action.verb,
        contact,
        sandbox,
        fields: {
          ...exampleValuesOf(holdAction.action.fields),
          [itemField]: item,
          [fromField]: toDate(from),
          [toField]: toDate(to),
        },
      },
      context,
    ),
    { channel: 'json', ...(address !== undefined && { address }), ...more },
    context,
  );
};
