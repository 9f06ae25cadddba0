import { memberOf } from '../site/json-object.ts';
import { defineOperation, pathParameter } from '../operation/operation.ts';
import { Problem } from '../operation/problem.ts';
import type { Redirect } from './resolve-share-link.ts';

/** Redirects the short links that the registry defines. */
export const followLink = defineOperation<{ slug: string }, Redirect>({
  name: 'follow-link',
  summary: 'Follow a curated link',
  description: 'Redirects to the page behind a short link that the operator chose.',
  method: 'GET',
  path: '/go/{slug}',
  problems: ['not_found'],

  describe: ({ registry }) => ({
    parameters: [
      pathParameter('slug', 'Slug of the link.', {
        schema: {
          type: 'string',
          ...(registry.links.length > 0 && { enum: registry.links.map((link) => link.slug) }),
        },
        ...(registry.links[0] && { example: registry.links[0].slug }),
      }),
    ],
    status: 302,
  }),

  parse: (value) => ({ slug: String(memberOf(value, 'slug')) }),

  async handle({ slug }, _call, { site }) {
    const link = site.registry.links.find((other) => other.slug === slug);
    if (!link) throw new Problem('not_found', 'There is no short link with this name.');
    return { output: { location: new URL(link.target, site.base).href }, replayed: false };
  },
});
