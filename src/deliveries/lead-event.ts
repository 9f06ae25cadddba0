import { and, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { leads, outbox } from '../../db/schema.ts';
import { type AnswerLinks, linksUntil, messageLinks } from '../operations/answer-link.ts';
import { FIRST_EVENT } from '../operations/answer-lead.ts';
import type { Context } from '../operations/context.ts';
import type { Actor, LeadStatus } from '../operations/lead-states.ts';
import { possibleStates } from '../operations/change-lead.ts';

/** An event as it is told, read at the moment of sending: the outbox holds no text of a lead. */
export interface LeadEvent {
  /** Stable: the same in every attempt and channel. */
  id: string;
  /** lead.created or lead.changed. */
  kind: string;
  at: string;
  /** What a change was, where the event is one. */
  change: { from: LeadStatus; to: LeadStatus; by: Actor } | undefined;
  lead: {
    /** How people and systems of the provider name it; the receipt’s token is the person’s own. */
    reference: string;
    subsite: string;
    action: string | null;
    status: LeadStatus;
    source: string;
    createdAt: string;
    respondBy: string;
    fields: Record<string, string | number>;
    data: Record<string, unknown> | null;
    contact: { name: string | null; email: string | null; phone: string | null };
    suspicions: readonly string[];
    /** Whether the same person asked for the same before, within a day. */
    repeated: boolean;
  };
  /** Links for answers; empty where the lead has come to an end. */
  links: Partial<AnswerLinks>;
  linksUntil: string;
}

/** The event of that id, or undefined where there is none. @throws {DatabaseUnavailable} */
export async function readLeadEvent(id: string, context: Context): Promise<LeadEvent | undefined> {
  const first = alias(outbox, 'first');
  const [row] = await context.database.writer
    .select({ event: outbox, lead: leads, reference: first.id })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .innerJoin(first, and(eq(first.lead, outbox.lead), eq(first.kind, FIRST_EVENT)))
    .where(eq(outbox.id, id));
  if (!row) return undefined;
  const { event, lead, reference } = row;
  const status = lead.status as LeadStatus;
  const open = possibleStates(status, 'provider').some((to) => to !== 'erased' && to !== 'withdrawn');
  return {
    id,
    kind: event.kind,
    at: event.createdAt,
    change: event.kind === FIRST_EVENT ? undefined : (event.payload as LeadEvent['change']),
    lead: {
      reference,
      subsite: lead.subsite,
      action: lead.action,
      status,
      source: lead.source,
      createdAt: lead.createdAt,
      respondBy: lead.respondBy,
      fields: lead.fields ?? {},
      data: lead.data,
      contact: { name: lead.contactName, email: lead.contactEmail, phone: lead.contactPhone },
      suspicions: lead.suspicions,
      repeated: lead.repeatOf !== null,
    },
    links: open ? await messageLinks(reference, lead.createdAt, context) : {},
    linksUntil: linksUntil(lead.createdAt),
  };
}
