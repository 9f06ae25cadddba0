import { and, desc, eq, inArray, type SQL } from 'drizzle-orm';
import * as v from 'valibot';
import { leads, outbox } from '../../../db/schema.ts';
import type { LeadAccess } from '../../keys/key-scopes.ts';
import type { Context } from '../../operation/context.ts';
import { hasEmail, hasPhone } from '../contact-conditions.ts';
import { findReceiptTokenAndStatus, isAccessible } from './lead-records.ts';
import { type LeadSummary, selectSummaries } from './list-leads.ts';
import { phone } from '../submit/validate-fields.ts';

/** Maximum number of leads that a search finds. */
export const MAX_FOUND_LEADS = 50;

const findLeadsNewestFirst = async (
  condition: SQL,
  access: LeadAccess,
  context: Pick<Context, 'database'>,
  limit = MAX_FOUND_LEADS,
) =>
  selectSummaries(context)
    .where(and(condition, isAccessible(access)))
    .orderBy(desc(leads.createdAt), desc(leads.token))
    .limit(limit);

/** Searches leads by reference, receipt, email address or phone number; newest first. */
export async function findLeads(
  text: string,
  access: LeadAccess,
  context: Pick<Context, 'database'>,
  limit = MAX_FOUND_LEADS,
): Promise<LeadSummary[]> {
  const query = text.trim();
  const number = v.safeParse(phone, query);
  if (query.includes('@'))
    return findLeadsNewestFirst(hasEmail(query.toLowerCase()), access, context, limit);
  if (number.success) return findLeadsNewestFirst(hasPhone(number.output), access, context, limit);
  const found = await findReceiptTokenAndStatus(query, access, context);
  return found ? findLeadsNewestFirst(eq(leads.token, found.token), access, context) : [];
}

/** The leads with these references, newest first; leads from other subsites are omitted. */
export const listLeadsByReference = (
  references: readonly string[],
  access: LeadAccess,
  context: Pick<Context, 'database'>,
): Promise<LeadSummary[]> =>
  findLeadsNewestFirst(inArray(outbox.id, [...references]), access, context);
