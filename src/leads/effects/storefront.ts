import { sql } from 'drizzle-orm';
import { storefronts } from '../../../db/schema-effects.ts';
import { type Offering, parseOfferings } from '../../fields/content.ts';
import {
  type BudgetCount,
  findBudgetRejection,
  recordUses,
  createBudgetConditions,
  ALL_CALLERS_SUBJECT,
} from '../../operation/budgets.ts';
import { insertWhere } from '../../operation/statements.ts';
import { addDaysToTime } from '../../operation/time-arithmetic.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';
import { omitContacts } from '../storefronts/hide-contacts.ts';
import { hasOrHadSlug } from '../storefronts/slugs.ts';
import { budgetsOf, type EffectCall, listPersonCounts, type PlanEffect, textOf } from './effect.ts';

const MAX_SLUG_LENGTH = 48;

/** A name as a URL segment: lowercase ASCII letters, digits and single hyphens. */
export function slugify(name: string): string {
  const asciiName = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = asciiName
    .replace(/['\u2019]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug === '' || slug === SANDBOX_TOKEN ? 'storefront' : slug;
}

/** Sample offering, shown if the owner did not list any. */
const createSampleOffering = (idea: string | undefined, name: string): Offering => ({
  name: name.slice(0, 80),
  desc: (idea ?? '').slice(0, 500),
  priceCents: null,
  kind: 'one_time',
  seeded: true,
});

/** The daily budgets for a storefront: per contact, per caller and for the whole service. */
async function readStorefrontCounts(effectCall: EffectCall<'storefront'>): Promise<BudgetCount[]> {
  const budgets = budgetsOf(effectCall);
  if (!budgets) return [];
  const count = {
    budget: 'storefronts',
    noun: 'storefront',
    until: addDaysToTime(effectCall.now, 1),
  } as const;
  return [
    ...(await listPersonCounts(
      effectCall,
      { ...count, period: 'in 24 hours' },
      { contact: 'storefrontsPerContact', caller: 'storefrontsPerAddress' },
    )),
    {
      ...count,
      subject: ALL_CALLERS_SUBJECT,
      limit: budgets.storefrontsPerDay,
      scope: 'for the whole service in 24 hours',
    },
  ];
}

/**
 * Creates a preview page under /biz immediately. Its URL ends in random characters because the
 * customer has not proven ownership of the business; only the operator can assign the plain name.
 */
export const planStorefront: PlanEffect<'storefront'> = async (effectCall) => {
  const { effect, input, subsite, action, receiptToken, now, context } = effectCall;
  const { site, tokens } = context;
  const name = textOf(input, effect.nameField) ?? subsite.title;
  const idea = textOf(input, effect.ideaField);
  const slug = input.sandbox ? SANDBOX_TOKEN : `${slugify(omitContacts(name))}-${tokens.suffix()}`;
  const counts = await readStorefrontCounts(effectCall);
  const offerings = parseOfferings(textOf(input, effect.offeringsField));
  const row = {
    slug,
    lead: receiptToken,
    subsite: subsite.name,
    theme:
      textOf(input, effect.themeField) ?? action.fields[effect.themeField]?.enum?.[0] ?? 'generic',
    name,
    idea: idea ?? null,
    place: textOf(input, effect.placeField) ?? null,
    offerings: offerings.length ? offerings : [createSampleOffering(idea, name)],
    createdAt: now.toISOString(),
  };
  return {
    extra: { previewUrl: `${site.base}/biz/${slug}` },
    guards: [
      ...createBudgetConditions(counts, now),
      sql`not exists (select 1 from ${storefronts} where ${hasOrHadSlug(slug)})`,
    ],
    rows: (written) => [
      insertWhere(storefronts, row, written),
      ...recordUses(counts, receiptToken, written),
    ],
    async rejection() {
      const rejection = await findBudgetRejection(counts, context);
      if (rejection) throw rejection;
      // The slug is taken.
      return 'retry';
    },
  };
};
