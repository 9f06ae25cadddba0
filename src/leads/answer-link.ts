import type { Context } from '../operation/context.ts';
import { type ProviderAct, providerNextOf } from './conversation.ts';
import type { LeadStatus } from './lead-states.ts';
import { signerOf } from '../operation/link-secret.ts';
import { Problem } from '../operation/problem.ts';
import { daysLater } from '../operation/later.ts';
import { answers } from '../text/index.ts';

/** What a provider answers by a link. */
export type Answer = ProviderAct;

/** Every answer, in the order in which messages list them. */
export const answerNames = Object.keys(answers) as [Answer, ...Answer[]];

/** Whether an answer is one in words: a question or a reply. */
export const needsText = (answer: Answer): boolean => answer === 'ask' || answer === 'reply';

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
