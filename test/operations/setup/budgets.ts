import type { Budgets } from '../../../src/operation/context.ts';
import { readSettings } from '../../../src/settings.ts';
import type { World } from './world.ts';

/** The budgets of a service whose operator set nothing. */
export const usualBudgets: Budgets = readSettings({});

/** A world with budgets, as a running service has them; `more` replaces some of the usual ones. */
export const withBudgets = (world: World, more: Partial<Budgets> = {}): World => ({
  ...world,
  context: { ...world.context, budgets: { ...usualBudgets, ...more } },
});
