import type { Violation, Rule } from '../registry/rules/rule.ts';
import { recordOfPage } from '../site/registry.ts';
import { DAY_MS } from '../site/calendar/durations.ts';

/**
 * A change date must not be in the future in any time zone. This is a rule because record schemas
 * have no access to the time.
 */
export const pastDaysRule: Rule = {
  name: 'past-days',
  description: 'The date of the last change is not in the future.',
  *check({ subsites, catalogs, pages }) {
    const isFuture = (day: string | undefined) =>
      day !== undefined && Date.parse(day) > Date.now() + DAY_MS;
    const problem = 'is in the future. Use the day of the last change.';
    const createViolation = (record: string, path: Violation['path']) => ({
      record,
      path,
      problem,
    });
    for (const { name, updated } of subsites)
      if (isFuture(updated)) yield createViolation(`subsites/${name}`, ['updated']);
    for (const page of pages)
      if (isFuture(page.updated)) yield createViolation(recordOfPage(page), ['updated']);
    for (const [name, { items }] of Object.entries(catalogs))
      for (const [index, { updated }] of items.entries())
        if (isFuture(updated))
          yield createViolation(`catalog/${name}`, ['items', index, 'updated']);
  },
};
