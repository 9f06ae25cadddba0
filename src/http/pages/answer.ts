import { answerLead, readAnswerableLead } from '../../leads/conversation/answer-lead.ts';
import { requiresText } from '../../leads/conversation/provider-content.ts';
import { describeConfirmation, describeTerms } from '../../leads/status/describe-terms.ts';
import type { Context } from '../../operation/context.ts';
import type { ProblemDetails } from '../../operation/problem.ts';
import type { Exchange } from '../exchange.ts';
import { type Page, createSeeOtherResponse } from './page.ts';
import {
  enteredHoldOf,
  enteredVisitOf,
  groupFaultsByInput,
  type PagePost,
  createProviderBody,
  formValuesOf,
  textOf,
} from './page-post.ts';
import type { AnswerView } from '../views.ts';

const HOME_PATH = '/answer';
const SENT_PARAMETER = 'sent';

/** Opening the page changes nothing, because mail scanners open links. */
export function createAnswerPage(context: Context): Page {
  async function createView(
    { params, request }: Exchange,
    rejection?: ProblemDetails,
    post?: PagePost,
  ): Promise<AnswerView> {
    const lead = await readAnswerableLead(params['token']!, context, enteredHoldOf(post));
    return {
      kind: 'answer',
      lead,
      isAnswerJustSent:
        lead.isLatestAnswer && new URL(request.url).searchParams.has(SENT_PARAMETER),
      terms: describeTerms(lead.terms, context.site),
      ...(lead.answer === 'confirm' &&
        !lead.changesConfirmedRequest &&
        lead.link !== 'stale' && {
          confirmationText: describeConfirmation(
            lead.terms,
            lead.link === 'open' ? 'confirming' : 'confirmed',
          ),
        }),
      note: requiresText(lead.answer, lead.status) ? 'required' : 'optional',
      formValues: formValuesOf(post, lead.offerInputs ?? {}),
      faults: groupFaultsByInput(rejection),
      ...(rejection && { rejection }),
    };
  }

  return {
    home: HOME_PATH,
    show: (exchange) => createView(exchange),
    async submit({ params }, post) {
      const token = params['token']!;
      const outcome = await answerLead(
        token,
        post.kind === 'json' ? () => post.body : (action) => createProviderBody(post.texts, action),
        context,
        post.kind === 'form'
          ? {
              channel: post.kind,
              isSure: textOf(post, 'sure') !== undefined,
              visit: enteredVisitOf(post),
              checkedDays: textOf(post, 'checkedDays'),
            }
          : {},
      );
      return post.kind === 'json'
        ? Response.json(outcome, { headers: { 'cache-control': 'no-store' } })
        : createSeeOtherResponse(`${HOME_PATH}/${token}?${SENT_PARAMETER}`);
    },
    showRejection: createView,
  };
}
