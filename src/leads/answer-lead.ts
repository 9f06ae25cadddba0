import { and, eq } from 'drizzle-orm';
import * as v from 'valibot';
import { leadHistory, leads, outbox } from '../../db/schema.ts';
import { type Answer, answers, type AnswerLink, readAnswerLink } from './answer-link.ts';
import { changeLead, NOTE_LENGTH } from './change-lead.ts';
import type { Context } from '../operation/context.ts';
import type { Actor, LeadStatus } from './lead-states.ts';
import { Problem } from '../operation/problem.ts';
import { filledText } from '../operation/texts.ts';
import { check, expecting, refuseIfAny } from '../operation/validate.ts';

/** Kind of the event that a lead begins with; its id is the lead’s reference. */
export const FIRST_EVENT = 'lead.created';

/** A lead as the holder of a link may see it: nothing about the person, and no other link. */
export interface AnswerableLead {
  answer: Answer;
  reference: string;
  subsite: string;
  /** Verb; null for a plain lead. */
  action: string | null;
  status: LeadStatus;
  createdAt: string;
  respondBy: string;
  /** Whether the link can be acted on, was acted on, or the lead has changed in another way since it was made. */
  link: 'open' | 'used' | 'stale';
  /** The newest change of the lead. */
  changed: { at: string; by: Actor };
}

async function leadOf({ reference }: AnswerLink, { database: { writer } }: Context) {
  const [lead] = await writer
    .select({
      token: leads.token,
      subsite: leads.subsite,
      action: leads.action,
      status: leads.status,
      createdAt: leads.createdAt,
      respondBy: leads.respondBy,
    })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .where(and(eq(outbox.id, reference), eq(outbox.kind, FIRST_EVENT)));
  if (!lead)
    throw new Problem(
      'not_found',
      'This database has no request with the reference of this link. Check that the address is that of the right network.',
    );
  if (lead.status === 'erased')
    throw new Problem('gone', 'This request was erased; nothing of it is kept.');
  return { ...lead, status: lead.status as LeadStatus };
}

/**
 * What a link is about, for its page. It changes nothing: mail scanners open links.
 * @throws {Problem} not_found; gone when the link has expired or the lead was erased
 */
export async function readAnswer(token: string, context: Context): Promise<AnswerableLead> {
  const { answer, reference, revision } = await readAnswerLink(token, context);
  const { token: id, ...lead } = await leadOf({ answer, reference, revision }, context);
  const history = await context.database.writer
    .select({ status: leadHistory.status, at: leadHistory.at, by: leadHistory.actor })
    .from(leadHistory)
    .where(eq(leadHistory.lead, id))
    .orderBy(leadHistory.id);
  const newest = history.at(-1);
  if (!newest) throw new Error('A lead has no history.');
  const following = history[revision];
  const used = following?.by === 'provider' && following.status === answers[answer].to;
  return {
    answer,
    reference,
    ...lead,
    link: following === undefined ? 'open' : used ? 'used' : 'stale',
    changed: { at: newest.at, by: newest.by as Actor },
  };
}

/** What an answer says. */
const noteOf = (required: boolean) => {
  const text = v.pipe(
    filledText(NOTE_LENGTH),
    expecting(
      `Write a text of at most ${NOTE_LENGTH.toLocaleString('en')} characters; the person reads it.`,
    ),
  );
  return v.pipe(
    v.strictObject({ note: required ? text : v.optional(text) }),
    expecting('Send an object with note.'),
  );
};

/**
 * Answers a lead by a link, while the lead is in the state that the link was made for.
 * @throws {Problem} not_found; gone when the lead has changed since or the link has expired; invalid_input when the note is missing
 * @throws {DatabaseUnavailable}
 */
export async function answerLead(
  token: string,
  body: unknown,
  context: Context,
): Promise<{ status: LeadStatus }> {
  const link = await readAnswerLink(token, context);
  const { token: lead } = await leadOf(link, context);
  const { to, note } = answers[link.answer];
  const { output, errors } = check(noteOf(note === 'required'), body);
  refuseIfAny(errors);
  await changeLead(
    { lead, to, actor: 'provider', note: output?.note, revision: link.revision },
    context,
  );
  return { status: to };
}
