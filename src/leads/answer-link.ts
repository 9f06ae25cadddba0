import type { Context } from '../operation/context.ts';
import { type ProviderAct, providerNextOf } from './conversation.ts';
import type { LeadStatus } from './lead-states.ts';
import { signerOf } from '../operation/link-secret.ts';
import { Problem } from '../operation/problem.ts';
import { daysLater } from '../operation/later.ts';

/** What a provider can answer by a link, in words, and whether it must say something. */
export const answers = {
  acknowledge: {
    note: 'optional',
    title: 'Acknowledge',
    does: 'Tells the person that you have read the request and are working on it.',
    asks: 'A word to the person',
  },
  ask: {
    note: 'required',
    title: 'Ask a question',
    does: 'Tells the person what you need to know before you can go on. The person answers on their page.',
    asks: 'Your question',
  },
  offer: {
    note: 'optional',
    title: 'Send an offer',
    does: 'Tells the person your price. The person accepts or declines it on their page.',
    asks: 'A word to the person',
  },
  confirm: {
    note: 'optional',
    title: 'Confirm',
    does: 'Tells the person that you have agreed, and makes a held item firm.',
    asks: 'What was agreed',
  },
  decline: {
    note: 'optional',
    title: 'Decline',
    does: 'Tells the person that you cannot do it. The request ends here.',
    asks: 'Your reason',
  },
  reply: {
    note: 'required',
    title: 'Write to the customer',
    does: 'Sends the person a message. The request stays as it is.',
    asks: 'Your message',
  },
} as const satisfies Record<
  ProviderAct,
  { note: 'required' | 'optional'; title: string; does: string; asks: string }
>;

export type Answer = ProviderAct;
export const answerNames = Object.keys(answers) as [Answer, ...Answer[]];

/** Days for which a link is good, from when the lead came to its state. */
export const LINK_DAYS = 30;

const PURPOSE = 'answer';
const FORM =
  /^(?<text>(?<reference>[A-Za-z0-9_-]{10,40})\.(?<answer>[a-z]+)\.(?<revision>[1-9]\d{0,5})\.(?<until>[0-9a-z]{1,9}))\.(?<signature>[A-Za-z0-9_-]{22})$/;

/** What a signed link says: one answer to one lead, while that lead is at one revision. */
export interface AnswerLink {
  reference: string;
  answer: Answer;
  /** Entries of the lead’s history when the link was made; the link is good while there are no more. */
  revision: number;
}

export type AnswerLinks = { readonly [Name in Answer]?: string };

/** A lead as its links need it. */
export interface LinkedLead {
  reference: string;
  status: LeadStatus;
  /** Entries of its history. */
  revision: number;
  /** When it came to its state, ISO 8601. */
  updatedAt: string;
}

/** When the links of a lead in its present state expire, ISO 8601. */
export const linksUntil = ({ updatedAt }: Pick<LinkedLead, 'updatedAt'>): string =>
  daysLater(new Date(updatedAt), LINK_DAYS);

/**
 * A link for each answer that the lead takes in its present state; none where it has come to an end. The same state gives
 * the same links, so that a repeated message is the same message.
 * @throws {DatabaseUnavailable}
 */
export async function answerLinks(lead: LinkedLead, context: Context): Promise<AnswerLinks> {
  const { reference, status, revision } = lead;
  const possible = providerNextOf({ status, revision });
  const until = Math.floor(Date.parse(linksUntil(lead)) / 1000).toString(36);
  const { sign } = await signerOf(PURPOSE, context);
  return Object.fromEntries(
    answerNames
      .filter((answer) => possible.includes(answer))
      .map((answer) => {
        const text = `${reference}.${answer}.${revision}.${until}`;
        return [answer, `${context.site.base}/answer/${text}.${sign(text)}`];
      }),
  );
}

const isAnswer = (name: string): name is Answer => Object.hasOwn(answers, name);

/**
 * Reads the last segment of a link’s address.
 * @throws {Problem} not_found when this service did not sign it, or has renewed its secret since; gone when it has expired
 */
export async function readAnswerLink(token: string, context: Context): Promise<AnswerLink> {
  const {
    text = '',
    reference = '',
    answer = '',
    revision = '',
    until = '',
    signature = '',
  } = FORM.exec(token)?.groups ?? {};
  const { isSigned } = await signerOf(PURPOSE, context);
  if (!isAnswer(answer) || !isSigned(text, signature))
    throw new Problem(
      'not_found',
      'This answer link is not valid. Check that you copied the whole address, or open the newest message about the request.',
    );
  if (Number.parseInt(until, 36) * 1000 <= context.now().getTime())
    throw new Problem(
      'gone',
      `This link has expired. Links are good for ${LINK_DAYS} days. Ask the operator to update the request.`,
    );
  return { reference, answer, revision: Number(revision) };
}
