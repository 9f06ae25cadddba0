import { eq } from 'drizzle-orm';
import { storefronts } from '../../../db/schema-effects.ts';
import { actionOf } from '../../site/registry.ts';
import type { Context } from '../../operation/context.ts';
import type { LeadLog } from '../lead-log.ts';
import { findNextService } from '../effects/route.ts';
import { isEnded } from '../lead-states.ts';
import type { ReceiptExtra } from './receipt.ts';

/** What an effect adds to the receipt page. */
export interface StoredExtra extends ReceiptExtra {
  /** True if the storefront is published; absent for a preview. */
  isPublished?: true;
}

/**
 * Reads what an effect adds to the receipt page: the storefront or the service to visit. Empty for
 * other effects and in the sandbox; a hold is part of the status.
 */
export async function readReceiptExtra(
  lead: LeadLog,
  { site, database }: Pick<Context, 'site' | 'database'>,
): Promise<StoredExtra> {
  const { receiptToken, status } = lead;
  const effect = actionOf(site.registry, lead)?.effect;
  if (effect?.kind === 'route') {
    const next = findNextService(effect, lead, site);
    // A person who is unsure may have chosen the service that already has the request.
    return next.service?.name === lead.subsite ? {} : next;
  }
  if (effect?.kind !== 'storefront' || isEnded(status)) return {};
  const [storefront] = await database.reader
    .select({ slug: storefronts.slug, bareSlug: storefronts.bareSlug, name: storefronts.name })
    .from(storefronts)
    .where(eq(storefronts.lead, receiptToken));
  if (!storefront || storefront.name === null) return {};
  const { slug, bareSlug } = storefront;
  return {
    previewUrl: `${site.base}/biz/${bareSlug ?? slug}`,
    ...(bareSlug !== null && { isPublished: true }),
  };
}
