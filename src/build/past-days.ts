import type { Rule } from '../registry/rules/rule.ts';
import { recordOfPage } from '../site/registry.ts';
import { DAY_MS } from '../site/calendar/durations.ts';

const UPDATE_PROBLEM = 'is in the future. Use the day of the last change.';
const OFFER_PROBLEM =
  'is in the future. Use the day on which the item was first offered, or the status upcoming.';

/**
 * Neither a change date nor the date of a product that can already be bought may be in the future
 * in any time zone. This is a rule because record schemas have no access to the time.
 */
export const pastDaysRule: Rule = {
  name: 'past-days',
  description: 'Change dates and the dates of offered products are not in the future.',
  *check({ subsites, catalogs, pages }) {
    const changes = [
      ...subsites.map(({ name, updated }) => ({ record: `subsites/${name}`, path: [], updated })),
      ...pages.map((page) => ({ record: recordOfPage(page), path: [], updated: page.updated })),
      ...Object.entries(catalogs).flatMap(([name, { items }]) =>
        items.map(({ updated }, index) => ({
          record: `catalog/${name}`,
          path: ['items', index],
          updated,
        })),
      ),
    ];
    const isFuture = (day = '') => Date.parse(day) > Date.now() + DAY_MS;
    for (const { record, path, updated } of changes)
      if (isFuture(updated)) yield { record, path: [...path, 'updated'], problem: UPDATE_PROBLEM };
    for (const [name, { schemaType, items }] of Object.entries(catalogs))
      for (const [index, { date, status }] of items.entries())
        if (schemaType === 'Product' && status !== 'upcoming' && isFuture(date))
          yield {
            record: `catalog/${name}`,
            path: ['items', index, 'date'],
            problem: OFFER_PROBLEM,
          };
  },
};
