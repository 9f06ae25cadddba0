import { readStorefront } from '../../leads/storefronts/read-storefront.ts';
import type { Context } from '../../operation/context.ts';
import type { Page } from './page.ts';

export const createStorefrontPage = (context: Context): Page => ({
  home: '/biz',
  isIndexable: (view) => view.kind === 'storefront' && view.storefront.isPublished,
  show: async ({ params }) => ({
    kind: 'storefront',
    storefront: await readStorefront(params['slug']!, context),
  }),
});
