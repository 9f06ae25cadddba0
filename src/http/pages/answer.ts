import { answerLead, readAnswer } from '../../leads/conversation/answer-lead.ts';
import { needsText } from '../../leads/conversation/answer-link.ts';
import { confirmationInWords, termsInWords } from '../../leads/status/shown-terms.ts';
import type { Context } from '../../operation/context.ts';
import type { ProblemDetails } from '../../operation/problem.ts';
import type { Exchange } from '../exchange.ts';
import { type Page, seeOther } from './page.ts';
import { faultsByInput, type PagePost, providerBody } from './page-post.ts';
import type { AnswerView } from '../views.ts';

const HOME = '/answer';

/**
 * The page where a provider answers a lead through a link. Only a POST changes anything, because
 * mail scanners open links.
 */
export function answerPage(context: Context): Page {
  async function viewOf(
    { params }: Exchange,
    refusal?: ProblemDetails,
    post?: PagePost,
  ): Promise<AnswerView> {
    const lead = await readAnswer(params['token']!, context);
    return {
      kind: 'answer',
      lead,
      terms: termsInWords(lead.terms, context.site),
      ...(lead.answer === 'confirm' &&
        lead.link !== 'stale' && {
          confirms: confirmationInWords(
            lead.terms,
            lead.link === 'open' ? 'confirming' : 'confirmed',
          ),
        }),
      note:
        needsText(lead.answer) || (lead.answer === 'decline' && lead.status === 'confirmed')
          ? 'required'
          : 'optional',
      formValues: post?.kind === 'form' ? post.texts : (lead.latestOffer ?? {}),
      faults: faultsByInput(refusal),
      ...(refusal && { refusal }),
    };
  }

  return {
    home: HOME,
    show: (exchange) => viewOf(exchange),
    async submit({ params }, post) {
      const token = params['token']!;
      const outcome = await answerLead(
        token,
        post.kind === 'json' ? () => post.body : (act) => providerBody(post.texts, act),
        context,
        post.kind === 'form' ? post.kind : undefined,
      );
      return post.kind === 'json'
        ? Response.json(outcome, { headers: { 'cache-control': 'no-store' } })
        : seeOther(`${HOME}/${token}`);
    },
    showRefusal: viewOf,
  };
}
