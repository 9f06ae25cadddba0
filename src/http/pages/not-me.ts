import { eraseLead } from '../../leads/erase/erase-lead.ts';
import { readStatus, parseReceiptToken } from '../../leads/status/read-lead-status.ts';
import { isBooking, type LeadState } from '../../leads/status/lead-status.ts';
import { stopMail, receivesMail } from '../../leads/deliveries/person/stop-mail.ts';
import { sendMessage } from '../../leads/conversation/send-message.ts';
import { purposeOf } from '../../site/service-of-request.ts';
import type { Context } from '../../operation/context.ts';
import { Problem, type ProblemDetails } from '../../operation/problem.ts';
import { isSandboxToken } from '../../leads/status/sample-lead.ts';
import { createInputProblem } from '../../operation/validate.ts';
import type { NotMeView } from '../views.ts';
import type { Exchange } from '../exchange.ts';
import { type Page, createSeeOtherResponse } from './page.ts';
import type { PagePost } from './page-post.ts';
import { memberOf } from '../../site/json-object.ts';

const HOME_PATH = '/receipt';
export const ERASED_PATH = '/receipt/erased';
/** The subsite of the erased request, which the page offers for a new request. */
const SERVICE_PARAMETER = 'service';

const receiptTokenIn = ({ params }: Exchange): string =>
  parseReceiptToken({ receipt: params['token'] });

/** What erasing a request permanently cancels: a confirmed booking or a hold. */
const canceledByErasureOf = (lead: LeadState, { site }: Context): NotMeView['canceledByErasure'] =>
  isBooking(lead, purposeOf(site.registry, lead)) ? 'booking' : lead.hold && 'hold';

const sentValueOf = (post: PagePost, name: string): unknown =>
  memberOf(post.kind === 'form' ? post.texts : post.body, name);

/**
 * The page for email recipients who did not send the request or want no more email about it.
 * Opening the page changes nothing, because mail scanners open every link. Erasing requires a
 * second step. One-click unsubscribe in an email program (RFC 8058) stops the email and erases
 * nothing. It ends a subscription, which consists only of email.
 */
export function createNotMePage(context: Context): Page {
  const isSubscription = (lead: LeadState): boolean =>
    purposeOf(context.site.registry, lead) === 'subscription';

  async function createView(exchange: Exchange, rejection?: ProblemDetails): Promise<NotMeView> {
    const receiptToken = receiptTokenIn(exchange);
    const lead = await readStatus(receiptToken, context);
    return {
      kind: 'not-me',
      lead,
      isUnsubscribed: isSubscription(lead)
        ? !lead.next.includes('withdraw')
        : !isSandboxToken(receiptToken) && !(await receivesMail(receiptToken, context)),
      canceledByErasure: canceledByErasureOf(lead, context),
      ...(rejection && { rejection }),
    };
  }

  async function stop(receiptToken: string): Promise<void> {
    // Stop the email first, so that no message confirms the end of a subscription.
    await stopMail(receiptToken, context);
    // An email program may unsubscribe after everything was erased.
    const lead = await readStatus(receiptToken, context).catch((thrown: unknown) => {
      if (thrown instanceof Problem && thrown.code === 'gone') return undefined;
      throw thrown;
    });
    if (lead && isSubscription(lead) && lead.next.includes('withdraw'))
      await sendMessage.handle({ receiptToken, action: 'withdraw' }, { channel: 'form' }, context);
  }

  return {
    home: HOME_PATH,
    rateLimit: 'reads',
    show: (exchange) => createView(exchange),
    async submit(exchange, post) {
      const receiptToken = receiptTokenIn(exchange);
      const receiptPath = `${HOME_PATH}/${receiptToken}`;
      if (sentValueOf(post, 'do') !== 'erase') {
        if (!isSandboxToken(receiptToken)) await stop(receiptToken);
        return createSeeOtherResponse(`${receiptPath}/not-me`);
      }
      if (!sentValueOf(post, 'sure'))
        throw createInputProblem('/sure', 'To erase everything, check the box above the button.');
      if (isSandboxToken(receiptToken)) return createSeeOtherResponse(receiptPath);
      const { subsite } = await readStatus(receiptToken, context);
      await eraseLead(receiptToken, 'person', context);
      return createSeeOtherResponse(
        `${ERASED_PATH}?${new URLSearchParams({ [SERVICE_PARAMETER]: subsite })}`,
      );
    },
    showRejection: createView,
  };
}

export const createErasedPage = (): Page => ({
  home: ERASED_PATH,
  show: async ({ request }) => ({
    kind: 'erased',
    service: new URL(request.url).searchParams.get(SERVICE_PARAMETER) ?? undefined,
  }),
});
