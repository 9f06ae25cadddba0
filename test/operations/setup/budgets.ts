import type { Budgets } from '../../../src/operation/context.ts';
import { readSettings } from '../../../src/settings.ts';
import type { Fixture } from './fixture.ts';

/** Default budgets. */
export const defaultBudgets: Budgets = readSettings({});

/** A fixture with the default budgets; `more` overrides some of them. */
export const withBudgets = (fixture: Fixture, more: Partial<Budgets> = {}): Fixture => ({
  ...fixture,
  context: { ...fixture.context, budgets: { ...defaultBudgets, ...more } },
});
