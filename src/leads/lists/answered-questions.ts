import { inArray, isNull, and, eq } from 'drizzle-orm';
import { leads, outbox } from '../../../db/schema.ts';
import type { Context } from '../../operation/context.ts';
import { purposeOf } from '../../site/service-of-request.ts';
import type { Registry } from '../../site/registry.ts';
import { isAcceptance, type LeadLog, type LogEntry, readHistories } from '../lead-log.ts';
import type { LeadStatus } from '../lead-states.ts';
import { hasReply } from '../status/unanswered-messages.ts';
import type { LeadSummary } from './list-leads.ts';

/** States in which a question can count as answered; a declined question was answered with no. */
const answeredStates = new Set<LeadStatus>(['new', 'acknowledged', 'confirmed', 'declined']);

/** Number of leads per query, which limits its parameters and the memory for their histories. */
const BATCH_SIZE = 500;

const canBeAnswered = (
  registry: Registry,
  lead: Pick<LeadSummary, 'subsite' | 'action' | 'status'>,
): boolean => answeredStates.has(lead.status) && purposeOf(registry, lead) === 'question';

const hasAnswer = (status: LeadStatus, entries: readonly LogEntry[]): boolean =>
  (status === 'declined' || hasReply(entries)) && !entries.some(isAcceptance);

/**
 * Whether a lead is an answered question: the provider replied, closed the question or said no,
 * nothing is due, and no offer was accepted. A reply does not change the state of a lead, so the
 * state alone does not show it.
 */
export const isAnsweredQuestion = (registry: Registry, log: LeadLog): boolean =>
  canBeAnswered(registry, log) && !log.dueAt && hasAnswer(log.status, log.entries);

/** The references of the leads for which {@link isAnsweredQuestion} is true. */
export async function findAnsweredQuestions(
  leadRows: readonly Pick<LeadSummary, 'reference' | 'subsite' | 'action' | 'status'>[],
  { database: { background }, site: { registry } }: Pick<Context, 'database' | 'site'>,
): Promise<ReadonlySet<string>> {
  const questions = leadRows.filter((lead) => canBeAnswered(registry, lead));
  const answered = new Set<string>();
  for (let start = 0; start < questions.length; start += BATCH_SIZE) {
    const references = questions.slice(start, start + BATCH_SIZE).map((lead) => lead.reference);
    const rows = await background
      .select({ reference: outbox.id, token: leads.token, status: leads.status })
      .from(outbox)
      .innerJoin(leads, eq(leads.token, outbox.lead))
      .where(and(inArray(outbox.id, references), isNull(leads.dueAt)));
    const histories = await readHistories(
      rows.map(({ token }) => token),
      background,
    );
    for (const { reference, token, status } of rows)
      if (hasAnswer(status, histories.get(token) ?? [])) answered.add(reference);
  }
  return answered;
}
