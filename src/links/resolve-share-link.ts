import { memberOf } from '../site/json-object.ts';
import { eq } from 'drizzle-orm';
import { shareLinks } from '../../db/schema-links.ts';
import { defineOperation, pathParameter } from '../operation/operation.ts';
import { Problem } from '../operation/problem.ts';
import { cacheBriefly } from '../operation/short-cache.ts';
import { SHARE_TOKEN_PATTERN } from '../operation/tokens.ts';
import { findSubsite } from '../site/registry.ts';

/** Absolute URL of the redirect target. */
export interface Redirect {
  location: string;
}

const TOKEN_REGEXP = new RegExp(SHARE_TOKEN_PATTERN);

const findLink = cacheBriefly(async (token, { database: { reader } }) => {
  const [link] = await reader
    .select({ subsite: shareLinks.subsite, path: shareLinks.path })
    .from(shareLinks)
    .where(eq(shareLinks.token, token));
  return link;
});

const unknown = () =>
  new Problem(
    'unknown_token',
    'No share link matches this token. Check that you copied the whole address.',
  );

/** Redirects the short links that create-share-link creates. */
export const resolveShareLink = defineOperation<{ token: string }, Redirect>({
  name: 'resolve-share-link',
  summary: 'Follow a share link',
  description: 'Redirects to the target page of the link.',
  method: 'GET',
  path: '/s/{token}',
  problems: ['unknown_token', 'gone'],

  describe: () => ({
    parameters: [
      pathParameter('token', 'Token of the link, from the response to POST /api/share.', {
        schema: { type: 'string', pattern: SHARE_TOKEN_PATTERN },
      }),
    ],
    status: 302,
  }),

  parse(value) {
    const token = String(memberOf(value, 'token'));
    if (!TOKEN_REGEXP.test(token)) throw unknown();
    return { token };
  },

  async handle({ token }, _call, context) {
    const { base, registry } = context.site;
    const link = await findLink(token, context);
    if (!link) throw unknown();
    if (!findSubsite(registry, link.subsite))
      throw new Problem(
        'gone',
        `This share link has expired: its service is no longer offered here. The current services are at ${base}/.`,
      );
    return { output: { location: `${base}${link.path}` }, replayed: false };
  },
});
