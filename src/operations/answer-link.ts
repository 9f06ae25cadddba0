import { customAlphabet } from 'nanoid';
import type { Context } from './context.ts';
import type { LeadStatus } from './lead-states.ts';
import { isSigned, sign } from './link-secret.ts';
import { Problem } from './problem.ts';
import { daysLater } from './receipt.ts';

/** What a provider can answer by a link: the state that it leads to, and whether it must say something. */
export const answers = {
  acknowledge: { to: 'acknowledged', note: 'optional', title: 'Acknowledge', does: 'Tells the person that you have read the request and are working on it.', asks: 'A word to the person' },
  ask: { to: 'needs_info', note: 'required', title: 'Ask a question', does: 'Tells the person what you need to know before you can go on.', asks: 'Your question' },
  quote: { to: 'quoted', note: 'required', title: 'Send a price', does: 'Tells the person your price. Nothing is agreed until both sides say so.', asks: 'Your price and what it includes' },
  confirm: { to: 'confirmed', note: 'optional', title: 'Confirm', does: 'Tells the person that you have agreed, and makes a held item firm.', asks: 'What was agreed' },
  decline: { to: 'declined', note: 'required', title: 'Decline', does: 'Tells the person that you cannot do it. The request ends here.', asks: 'Your reason' },
} as const satisfies Record<string, { to: LeadStatus; note: 'required' | 'optional'; title: string; does: string; asks: string }>;

export type Answer = keyof typeof answers;
export const answerNames = Object.keys(answers) as [Answer, ...Answer[]];

/** Days for which the links of a message are good, from when the lead was filed. */
export const LINK_DAYS = 30;
/** Days for which the links of an answer page are good, but never longer than those of the lead’s messages. */
const NEXT_DAYS = 7;

const PURPOSE = 'answer';
const FORM = /^((?<reference>[A-Za-z0-9_-]{10,40})\.(?<answer>[a-z]+)\.(?<until>[0-9a-z]{1,9})\.(?<salt>[0-9a-z]*))\.(?<signature>[A-Za-z0-9_-]{22})$/;

const newSalt = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 8);

/** What a signed link says: which lead, by its reference, and which answer. */
export interface AnswerLink {
  reference: string;
  answer: Answer;
  /** Names this link among all. */
  signature: string;
}

async function linkOf(reference: string, answer: Answer, until: string, salt: string, context: Context): Promise<string> {
  const text = `${reference}.${answer}.${Math.floor(Date.parse(until) / 1000).toString(36)}.${salt}`;
  return `${context.site.base}/answer/${text}.${await sign(PURPOSE, text, context)}`;
}

export type AnswerLinks = { readonly [Name in Answer]: string };

const linksOf = async (make: (answer: Answer) => Promise<string>): Promise<AnswerLinks> => Object.fromEntries(await Promise.all(answerNames.map(async (answer) => [answer, await make(answer)]))) as AnswerLinks;

/** When the links of a lead’s messages lapse. */
export const linksUntil = (createdAt: string): string => daysLater(new Date(createdAt), LINK_DAYS);

/** The links of a lead’s messages: always the same ones, so that a repeated message is the same message. */
export const messageLinks = (reference: string, createdAt: string, context: Context): Promise<AnswerLinks> =>
  linksOf((answer) => linkOf(reference, answer, linksUntil(createdAt), '', context));

/** New links, for what comes next after an answer; whoever holds an old link gains no time by opening it. */
export function nextLinks(reference: string, createdAt: string, context: Context): Promise<AnswerLinks> {
  const [until] = [daysLater(context.now(), NEXT_DAYS), linksUntil(createdAt)].sort() as [string, string];
  return linksOf((answer) => linkOf(reference, answer, until, newSalt(), context));
}

/**
 * Reads the last segment of a link’s address.
 * @throws {Problem} not_found when we did not sign it; gone when it has lapsed
 */
export async function readAnswerLink(token: string, context: Context): Promise<AnswerLink> {
  const match = FORM.exec(token);
  const { reference, answer, until, signature } = match?.groups ?? {};
  const ours = match && answerNames.includes(answer as Answer) && (await isSigned(PURPOSE, match[1]!, signature!, context));
  if (!ours) throw new Problem('not_found', 'This is no answer link of ours. Check that the address was copied whole.');
  if (Number.parseInt(until!, 36) * 1000 <= context.now().getTime()) throw new Problem('gone', `This link has lapsed; links are good for ${LINK_DAYS} days. Answer the person directly, or ask the operator to change the lead.`);
  return { reference: reference!, answer: answer as Answer, signature: signature! };
}
