import { eq, getTableColumns } from 'drizzle-orm';
import { storefronts } from '../../../db/schema-effects.ts';
import { leads } from '../../../db/schema.ts';
import type { Offering } from '../../fields/content.ts';
import type { Context } from '../../operation/context.ts';
import { isEnded } from '../lead-states.ts';
import { Problem } from '../../operation/problem.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';
import { storefront as text } from '../../text/index.ts';
import { omitContacts, omitContactSentences } from './hide-contacts.ts';
import { hasSlug, tombstoneOf } from './slugs.ts';

/**
 * Content of a storefront page. All text is unescaped user input; a preview omits URLs, email
 * addresses and phone numbers, and the sentences that contain them.
 */
export interface Storefront {
  slug: string;
  /** Subsite whose action created it. */
  subsite: string;
  /** Value of the action's theme field. */
  theme: string;
  name: string;
  idea: string | null;
  place: string | null;
  offerings: readonly Offering[];
  createdAt: string;
  /** True once the storefront's URL has the business name; until then, it is a preview. */
  isPublished: boolean;
}

const createSampleStorefront = (subsite: string): Storefront => ({
  slug: SANDBOX_TOKEN,
  subsite,
  theme: 'generic',
  name: 'A sample storefront',
  idea: 'This page shows the storefront that a request outside the sandbox would have created.',
  place: null,
  offerings: [
    {
      name: 'A sample offering',
      desc: 'What the business sells, in one sentence.',
      priceCents: 2500,
      kind: 'one_time',
    },
  ],
  createdAt: '2026-01-05T15:00:00.000Z',
  isPublished: false,
});

const createRemovedProblem = () => new Problem('gone', 'This page was removed.');

/**
 * Reads the storefront at /biz/{slug}; `sandbox` is a fixed sample.
 * @throws {Problem} not_found; gone when it was removed, or its lead was declined, withdrawn,
 * expired or erased
 */
export async function readStorefront(
  slug: string,
  { site, database }: Context,
): Promise<Storefront> {
  if (slug === SANDBOX_TOKEN)
    return createSampleStorefront(
      site.registry.subsites.find(({ actions }) =>
        actions.some(({ effect }) => effect?.kind === 'storefront'),
      )?.name ?? '',
    );
  const [row] = await database.reader
    .select({ ...getTableColumns(storefronts), status: leads.status })
    .from(storefronts)
    .innerJoin(leads, eq(leads.token, storefronts.lead))
    .where(hasSlug(slug));
  if (!row) {
    const [erased] = await database.reader
      .select({ slug: storefronts.slug })
      .from(storefronts)
      .where(hasSlug(tombstoneOf(slug)));
    throw erased
      ? createRemovedProblem()
      : new Problem('not_found', 'There is no storefront at this address.');
  }
  const { bareSlug, subsite, theme, name, idea, place, offerings, createdAt } = row;
  if (name === null || isEnded(row.status)) throw createRemovedProblem();
  const isPublished = bareSlug !== null;
  const show = (userText: string) => (isPublished ? userText : omitContactSentences(userText));
  const showName = (userText: string) =>
    isPublished ? userText : omitContacts(userText) || text.hiddenName;
  return {
    slug: bareSlug ?? slug,
    subsite,
    theme,
    name: showName(name),
    idea: idea && show(idea),
    place: place && show(place),
    offerings: (offerings ?? []).map((offering) => ({
      ...offering,
      name: showName(offering.name),
      desc: show(offering.desc),
    })),
    createdAt,
    isPublished,
  };
}
