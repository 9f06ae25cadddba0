import type { Rule } from '../registry/rules/rule.ts';
import { recordOfPage } from '../site/registry.ts';
import { DAY_MS } from '../site/calendar/durations.ts';

const UPDATE_PROBLEM = 'is in the future. Use the day of the last change.';
const OFFER_PROBLEM =
  'is in the future. Use the day on which the item was first offered, or the status upcoming.';

/**
 * A change date must not be in the future in any time zone, nor the date of a product that can
 * already be bought. This is a rule because record schemas have no access to the time.
 */
export const pastDaysRule: Rule = {
  name: 'past-days',
  description: 'The dates of the last change and of offered products are not in the future.',
  *check({ subsites, catalogs, pages }) {
    const changes = [
      ...subsites.map(({ name, updated }) => ({ record: `subsites/${name}`, path: [], updated })),
      ...pages.map((page) => ({ record: recordOfPage(page), path: [], updated: page.updated })),
      ...Object.entries(catalogs).flatMap(([name, { schemaType, items }]) =>
        items.map(({ updated, date, status }, index) => ({
          record: `catalog/${name}`,
          path: ['items', index],
          updated,
          offered: schemaType === 'Product' && status !== 'upcoming' ? date : undefined,
        })),
      ),
    ];
    const isFuture = (day = '') => Date.parse(day) > Date.now() + DAY_MS;
    for (const { record, path, updated, ...change } of changes) {
      if (isFuture(updated)) yield { record, path: [...path, 'updated'], problem: UPDATE_PROBLEM };
      if ('offered' in change && isFuture(change.offered))
        yield { record, path: [...path, 'date'], problem: OFFER_PROBLEM };
    }
  },
};
