import { readFreeDays } from '../../leads/holds/free-days.ts';
import type { Context } from '../../operation/context.ts';
import type { Page } from './page.ts';

/** The availability calendar of a catalog item, with the form to hold it. */
export const createFreeDaysPage = (context: Context): Page => ({
  home: '/',
  async show({ request, params }) {
    const names = { subsite: params['subsite'] ?? '', item: params['item'] ?? '' };
    const { searchParams } = new URL(request.url);
    return { kind: 'free-days', ...(await readFreeDays(names, searchParams, context)) };
  },
});
