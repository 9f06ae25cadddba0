import { memberOf } from '../site/json-object.ts';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/index.ts';
import { shareLinks } from '../../db/schema.ts';
import { defineOperation, pathParameter } from '../operation/operation.ts';
import { Problem } from '../operation/problem.ts';
import { memoize } from '../site/memoize.ts';
import { evictOldest } from '../operation/evict-oldest.ts';
import { SHARE_TOKEN_PATTERN } from '../operation/tokens.ts';

/** Absolute URL of the redirect target. */
export interface Redirect {
  location: string;
}

const TOKEN_REGEXP = new RegExp(SHARE_TOKEN_PATTERN);

interface Link {
  /** Time when the link was read, from `performance.now()`. */
  readAt: number;
  path: string;
  expiresAt: string | null;
}

/** How long a link is cached, in ms. It is short because a command may delete the link. */
const CACHE_MS = 5_000;

const MAX_CACHED = 2_000;

const prepare = ({ reader }: Database) =>
  reader
    .select({ path: shareLinks.path, expiresAt: shareLinks.expiresAt })
    .from(shareLinks)
    .where(eq(shareLinks.token, sql.placeholder('token')))
    .prepare();

const cacheOf = memoize((database: Database) => ({
  statement: prepare(database),
  cache: new Map<string, Link>(),
}));

async function findLink(database: Database, token: string): Promise<Link | undefined> {
  const { statement, cache } = cacheOf(database);
  const cached = cache.get(token);
  const readAt = performance.now();
  if (cached && readAt - cached.readAt < CACHE_MS) return cached;
  const [row] = await statement.execute({ token });
  // Reinsert the link, so that the link that was read first is first in the map.
  cache.delete(token);
  if (!row) return undefined;
  const link = { ...row, readAt };
  cache.set(token, link);
  evictOldest(cache, MAX_CACHED);
  return link;
}

const unknown = () =>
  new Problem(
    'unknown_token',
    'No share link matches this token. Check that you copied the whole address.',
  );

/** Redirects from a short link that was created with create-share-link. */
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

  async handle({ token }, _call, { site, database, now }) {
    const link = await findLink(database, token);
    if (!link) throw unknown();
    if (link.expiresAt !== null && link.expiresAt <= now().toISOString())
      throw new Problem('gone', 'This share link has expired. Ask for a new one.');
    return { output: { location: `${site.base}${link.path}` }, replayed: false };
  },
});
