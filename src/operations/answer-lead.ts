import { and, eq } from 'drizzle-orm';
import * as v from 'valibot';
import { usedLinks } from '../../db/schema-deliveries.ts';
import { leads, outbox } from '../../db/schema.ts';
import { type Answer, answers, type AnswerLink, type AnswerLinks, nextLinks, readAnswerLink } from './answer-link.ts';
import { changeLead, NOTE_LENGTH, possibleStates } from './change-lead.ts';
import type { Context } from './context.ts';
import type { LeadStatus } from './lead-states.ts';
import { Problem } from './problem.ts';
import { filledText } from './texts.ts';
import { check, expecting, refuseIfAny } from './validate.ts';

/** Kind of the event that a lead begins with; its id is the lead’s reference. */
export const FIRST_EVENT = 'lead.created';

/** A lead as the holder of a link may see it: nothing about the person. */
export interface AnswerableLead {
  answer: Answer;
  reference: string;
  subsite: string;
  /** Verb; null for a plain lead. */
  action: string | null;
  status: LeadStatus;
  createdAt: string;
  respondBy: string;
  /** Whether this link was acted on. */
  used: boolean;
  /** Whether it can be acted on now. */
  possible: boolean;
  /** New links for the answers that are possible now. */
  next: Partial<AnswerLinks>;
}

async function leadOf({ reference, signature }: AnswerLink, { database: { writer } }: Context) {
  const [row] = await writer
    .select({ token: leads.token, subsite: leads.subsite, action: leads.action, status: leads.status, createdAt: leads.createdAt, respondBy: leads.respondBy, used: usedLinks.signature })
    .from(outbox)
    .innerJoin(leads, eq(leads.token, outbox.lead))
    .leftJoin(usedLinks, eq(usedLinks.signature, signature))
    .where(and(eq(outbox.id, reference), eq(outbox.kind, FIRST_EVENT)));
  if (!row) throw new Problem('not_found', 'The lead of this link is not here. It may have been made on another database.');
  if (row.status === 'erased') throw new Problem('gone', 'This request was erased; nothing of it is kept.');
  return { ...row, status: row.status as LeadStatus };
}

/**
 * What stands behind a link, for its page. It changes nothing: mail scanners open links.
 * @throws {Problem} not_found; gone when the link has lapsed or the lead was erased
 */
export async function readAnswer(token: string, context: Context): Promise<AnswerableLead> {
  const link = await readAnswerLink(token, context);
  const { token: _, used, ...lead } = await leadOf(link, context);
  const open = possibleStates(lead.status, 'provider');
  const links = await nextLinks(link.reference, lead.createdAt, context);
  const next = Object.fromEntries(Object.entries(links).filter(([answer]) => open.includes(answers[answer as Answer].to)));
  return { answer: link.answer, reference: link.reference, ...lead, used: used !== null, possible: used === null && open.includes(answers[link.answer].to), next };
}

/** What an answer says. */
const noteOf = (required: boolean) => {
  const text = v.pipe(filledText(NOTE_LENGTH), expecting(`Write a text of at most ${NOTE_LENGTH.toLocaleString('en')} characters; the person reads it.`));
  return v.pipe(v.strictObject({ note: required ? text : v.optional(text) }), expecting('Send an object with note.'));
};

/**
 * Answers a lead by a link; each link works once.
 * @throws {Problem} not_found; gone when it was used or has lapsed; invalid_input when the note is missing or the lead may not go there
 * @throws {DatabaseUnavailable}
 */
export async function answerLead(token: string, body: unknown, context: Context): Promise<{ status: LeadStatus }> {
  const link = await readAnswerLink(token, context);
  const { token: lead } = await leadOf(link, context);
  const { to, note } = answers[link.answer];
  const { output, errors } = check(noteOf(note === 'required'), body);
  refuseIfAny(errors);
  await changeLead({ lead, to, actor: 'provider', note: output!.note, signature: link.signature }, context);
  return { status: to };
}
