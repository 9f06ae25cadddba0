import type { Rule } from '../registry/rules/rule.ts';
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
    const problem = 'is in the future. Use the day of the last change.';
    const changes = [
      ...subsites.map(({ name, updated }) => ({ record: `subsites/${name}`, path: [], updated })),
      ...pages.map((page) => ({ record: recordOfPage(page), path: [], updated: page.updated })),
      ...Object.entries(catalogs).flatMap(([name, { items }]) =>
        items.map(({ updated = '' }, index) => ({
          record: `catalog/${name}`,
          path: ['items', index],
          updated,
        })),
      ),
    ];
    for (const { record, path, updated } of changes)
      if (Date.parse(updated) > Date.now() + DAY_MS)
        yield { record, path: [...path, 'updated'], problem };
  },
};
