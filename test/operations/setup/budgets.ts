import type { Budgets } from '../../../src/operation/context.ts';
import { readSettings } from '../../../src/settings.ts';
import type { Fixture } from './fixture.ts';

/** The budgets of a service whose operator set nothing. */
export const usualBudgets: Budgets = readSettings({});

/**
 * A fixture with budgets, as a running service has them; `more` replaces some of the usual ones.
 */
export const withBudgets = (fixture: Fixture, more: Partial<Budgets> = {}): Fixture => ({
  ...fixture,
  context: { ...fixture.context, budgets: { ...usualBudgets, ...more } },
});
