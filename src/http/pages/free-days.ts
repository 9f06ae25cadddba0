import { readFreeDays } from '../../leads/holds/free-days.ts';
import type { Context } from '../../operation/context.ts';
import type { Exchange } from '../exchange.ts';
import type { FreeDaysView } from '../views.ts';
import type { Page } from './page.ts';
import { daysOf, formValuesOf } from './page-post.ts';

/**
 * The availability calendar of a catalog item, with the form to hold it. A POST shows the days that
 * were chosen in the form and keeps what was entered.
 */
export function createFreeDaysPage(context: Context): Page {
  async function createView({ params }: Exchange, days: URLSearchParams): Promise<FreeDaysView> {
    const names = { subsite: params['subsite'] ?? '', item: params['item'] ?? '' };
    return { kind: 'free-days', ...(await readFreeDays(names, days, context)) };
  }
  return {
    home: '/',
    rateLimit: 'reads',
    show: (exchange) => createView(exchange, new URL(exchange.request.url).searchParams),
    submit: async (exchange, post) => ({
      ...(await createView(exchange, daysOf(post))),
      enteredValues: formValuesOf(post),
    }),
  };
}
