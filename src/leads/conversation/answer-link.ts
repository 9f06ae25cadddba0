import { keysOf } from '../../site/json-object.ts';
import type { Context } from '../../operation/context.ts';
import { type ProviderAction, nextProviderActionsOf } from './conversation.ts';
import type { Action } from '../../registry/schemas/action.ts';
import type { LeadStatus } from '../lead-states.ts';
import { createSigner } from '../../operation/link-secret.ts';
import { Problem } from '../../operation/problem.ts';
import { addDaysToTime } from '../../operation/time-arithmetic.ts';
import { answers } from '../../text/index.ts';

export const answerNames = keysOf(answers);

/**
 * All answers, in the order shown to the provider. Most questions and leads without an action are
 * answered in words, so the message comes first.
 */
export const listAnswerNames = (
  action: Pick<Action, 'purpose'> | undefined,
): readonly ProviderAction[] =>
  action === undefined || action.purpose === 'question'
    ? ['reply', ...answerNames.filter((name) => name !== 'reply')]
    : answerNames;

/** Lifetime of a link in days, counted from when the lead entered its current state. */
export const LINK_LIFETIME_DAYS = 30;

const SIGNING_PURPOSE = 'answer';
const LINK_TOKEN_PATTERN =
  /^(?<text>(?<reference>[A-Za-z0-9_-]{10,40})\.(?<answer>[a-z]+)\.(?<revision>[1-9]\d{0,5})\.(?<until>[0-9a-z]{1,9}))\.(?<signature>[A-Za-z0-9_-]{22})$/;

/** Content of a signed link: an answer to a lead as of a certain revision. */
export interface AnswerLink {
  reference: string;
  answer: ProviderAction;
  /** Number of history entries when the link was created; another entry invalidates the link. */
  revision: number;
}

export type AnswerLinks = { readonly [Name in ProviderAction]?: string };

/** The properties of a lead that determine its answer links. */
export interface LinkedLead {
  reference: string;
  status: LeadStatus;
  /** Number of history entries. */
  revision: number;
  /** When the lead entered its current state, ISO 8601. */
  updatedAt: string;
}

/** When the current links of a lead expire, ISO 8601. */
export const linkExpiryOf = ({ updatedAt }: Pick<LinkedLead, 'updatedAt'>): string =>
  addDaysToTime(new Date(updatedAt), LINK_LIFETIME_DAYS);

/**
 * Creates a link for each answer that the lead's current state allows. The same state yields the
 * same links, so that a retried message is identical.
 */
export async function createAnswerLinks(lead: LinkedLead, context: Context): Promise<AnswerLinks> {
  const { reference, status, revision } = lead;
  const allowed = nextProviderActionsOf({ status, revision });
  const until = Math.floor(Date.parse(linkExpiryOf(lead)) / 1000).toString(36);
  const { sign } = await createSigner(SIGNING_PURPOSE, context);
  return Object.fromEntries(
    answerNames
      .filter((answer) => allowed.includes(answer))
      .map((answer) => {
        const text = `${reference}.${answer}.${revision}.${until}`;
        return [answer, `${context.site.base}/answer/${text}.${sign(text)}`];
      }),
  );
}

const isAnswer = (name: string): name is ProviderAction => Object.hasOwn(answers, name);

/**
 * Parses the last segment of a link's URL.
 * @throws {Problem} not_found when this service did not sign it, or the secret has changed since;
 * gone when it has expired
 */
export async function readAnswerLink(token: string, context: Context): Promise<AnswerLink> {
  const {
    text = '',
    reference = '',
    answer = '',
    revision = '',
    until = '',
    signature = '',
  } = LINK_TOKEN_PATTERN.exec(token)?.groups ?? {};
  const { isSigned } = await createSigner(SIGNING_PURPOSE, context);
  if (!isAnswer(answer) || !isSigned(text, signature))
    throw new Problem(
      'not_found',
      'This answer link is not valid. Check that you copied the whole link. If you did, newer links may have replaced it: answer in the inbox, or ask the operator to send you the request again.',
    );
  if (Number.parseInt(until, 36) * 1000 <= context.now().getTime())
    throw new Problem(
      'gone',
      `This link has expired. Links are valid for ${LINK_LIFETIME_DAYS} days. Ask the operator to update the request.`,
    );
  return { reference, answer, revision: Number(revision) };
}
