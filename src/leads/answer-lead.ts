import { and, eq } from 'drizzle-orm';
import { outbox } from '../../db/schema.ts';
import { type Answer, type AnswerLink, readAnswerLink } from './answer-link.ts';
import type { Context } from '../operation/context.ts';
import { afterProvider } from './conversation.ts';
import { readLog } from './lead-log.ts';
import { type LeadRequest, requestOf } from './lead-request.ts';
import { type LeadState, messagesOf } from './lead-status.ts';
import type { Actor, LeadStatus } from './lead-states.ts';
import { Problem } from '../operation/problem.ts';
import { FIRST_EVENT } from './lead-rows.ts';
import { sendAsProvider } from './provider-message.ts';

/**
 * A lead as the holder of a link may see it: the request and the conversation, without contact
 * details or other links.
 */
export interface AnswerableLead {
  answer: Answer;
  reference: string;
  subsite: string;
  /** Verb; null for a plain lead. */
  action: string | null;
  status: LeadStatus;
  createdAt: string;
  respondBy: string;
  request: LeadRequest;
  messages: LeadState['messages'];
  /**
   * Whether the link can be acted on, was acted on, or the lead has changed otherwise since it was
   * created.
   */
  link: 'open' | 'used' | 'stale';
  /** The newest event. */
  changed: { at: string; by: Actor };
}

/** The token of a link's lead. @throws {Problem} not_found */
async function tokenOf(
  { reference }: AnswerLink,
  { database: { writer } }: Context,
): Promise<string> {
  const [lead] = await writer
    .select({ token: outbox.lead })
    .from(outbox)
    .where(and(eq(outbox.id, reference), eq(outbox.kind, FIRST_EVENT)));
  if (!lead)
    throw new Problem(
      'not_found',
      'This database has no request with the reference of this link. Check that the address is that of the right network.',
    );
  return lead.token;
}

/**
 * The lead of a link, for its page. It changes nothing: mail scanners open links.
 * @throws {Problem} not_found; gone when the link has expired or the lead was erased
 */
export async function readAnswer(token: string, context: Context): Promise<AnswerableLead> {
  const link = await readAnswerLink(token, context);
  const { answer, reference, revision } = link;
  const log = await readLog(await tokenOf(link, context), context);
  const { subsite, action, status, createdAt, respondBy, entries } = log;
  const newest = entries.at(-1)!;
  const [before, following] = entries.slice(revision - 1);
  const used =
    following?.actor === 'provider' &&
    following.status === afterProvider(answer, { status: before!.status, revision });
  return {
    answer,
    reference,
    subsite,
    action,
    status,
    createdAt,
    respondBy,
    request: requestOf(context.site.registry, log),
    messages: messagesOf(entries),
    link: following === undefined ? 'open' : used ? 'used' : 'stale',
    changed: { at: newest.at, by: newest.actor },
  };
}

/**
 * Answers a lead through a link, as long as the lead has not changed since the link was created.
 * @throws {Problem} not_found; gone when the lead has changed since or the link has expired;
 * invalid_input when a text or a price is missing; conflict when another request has the item
 * @throws {DatabaseUnavailable}
 */
export async function answerLead(
  token: string,
  bodyFor: (act: Answer) => unknown,
  context: Context,
): Promise<{ status: LeadStatus }> {
  const link = await readAnswerLink(token, context);
  const { answer: act, revision } = link;
  const lead = await tokenOf(link, context);
  return {
    status: await sendAsProvider({ lead, act, actor: 'provider', revision }, bodyFor(act), context),
  };
}
