import { randomUUID } from 'node:crypto';
import {
  findAgreedDays,
  findCancellation,
  listLaterMessages,
  findCanceledDays,
} from '../../leads/status/agreement.ts';
import { eraseLead } from '../../leads/erase/erase-lead.ts';
import { describeStateForPerson, isBooking, statusOf } from '../../leads/status/lead-status.ts';
import {
  parseDesiredDays,
  readOtherDays,
  replaceDesiredDays,
} from '../../leads/holds/other-days.ts';
import { readMailLimit } from '../../leads/deliveries/mail-limit.ts';
import { isAboutMissingText } from '../../leads/status/lead-warnings.ts';
import { readMaskedContact } from '../../leads/status/masked-contact.ts';
import { withProof } from '../../leads/status/proof.ts';
import { readStatus, parseReceiptToken } from '../../leads/status/read-lead-status.ts';
import { readReceiptExtra } from '../../leads/status/read-receipt-extra.ts';
import { findRequestedDayBeforeAnswer } from '../../leads/status/first-day.ts';
import {
  listNewMessages,
  receiptStateOf,
  createStateAfterRejection,
} from '../../leads/status/receipt-state.ts';
import { messageForm, sendMessage } from '../../leads/conversation/send-message.ts';
import { describeExpiry } from '../../leads/status/request-expiry.ts';
import { findCorrectionUrl } from '../../leads/status/send-again.ts';
import { shownTermsOf } from '../../leads/status/shown-terms.ts';
import {
  describeBooking,
  describeEndedOffer,
  describeUnheldItem,
} from '../../leads/status/describe-terms.ts';
import { addMessages, timelineOf } from '../../leads/status/timeline.ts';
import { listOpenQuestions } from '../../leads/status/unanswered-messages.ts';
import { isAgreed } from '../../leads/lead-states.ts';
import { describeVisit, visitOf } from '../../leads/status/visit.ts';
import type { Context } from '../../operation/context.ts';
import { toDateInTimeZone } from '../../site/calendar/days.ts';
import { describeClosing, type ServiceHours } from '../../site/calendar/opening-hours.ts';
import { DESIRED_DAYS_INPUT } from '../../site/forms/form-inputs.ts';
import { findServiceOf } from '../../site/service-of-request.ts';
import { capitalize } from '../../site/words/words.ts';
import { jsonEtagOf } from '../../operation/etag.ts';
import { Problem, type ProblemCode, type ProblemDetails } from '../../operation/problem.ts';
import { isSandboxToken, readLogWithTime } from '../../leads/status/sample-lead.ts';
import type { Exchange } from '../exchange.ts';
import { readKeyHeader } from '../key-header.ts';
import { type Page, createSeeOtherResponse, isProgramRequest } from './page.ts';
import { daysOf, type PagePost, textOf } from './page-post.ts';
import type { ReceiptView } from '../views.ts';
import { isObject } from '../../site/json-object.ts';
import { requireValidKey } from '../../operation/idempotency.ts';

const HOME_PATH = '/receipt';
const receiptTokenOf = ({ params }: Exchange): string => params['token']!;

const receiptPathOf = (exchange: Exchange): string =>
  `${HOME_PATH}/${encodeURIComponent(receiptTokenOf(exchange))}`;

/** The status of a lead, for a program that asks for its receipt as JSON. @throws {Problem} */
async function createStatusResponse(receiptToken: string, context: Context): Promise<Response> {
  const status = await readStatus(parseReceiptToken({ receipt: receiptToken }), context);
  return Response.json(status, {
    headers: { 'cache-control': 'no-store', link: `<${status.statusUrl}>; rel="latest-version"` },
  });
}

/** Says when a closed provider opens next, and what it offers until then. */
function describeClosed(service: ServiceHours, timeZone: string, now: Date): string | undefined {
  const { afterHours } = service;
  const closing = describeClosing(service, timeZone, now);
  return closing && [closing, ...(afterHours ? [capitalize(afterHours)] : [])].join('. ');
}

async function createReceiptView(
  exchange: Exchange,
  context: Context,
  { rejection, post }: { rejection?: ProblemDetails; post?: PagePost | undefined } = {},
): Promise<ReceiptView> {
  const { registry } = context.site;
  const receiptToken = parseReceiptToken({ receipt: receiptTokenOf(exchange) });
  const { log, now } = await readLogWithTime(receiptToken, context);
  const [lead, maskedContact, mailLimit, extra] = await Promise.all([
    withProof(statusOf(log, now, context.site), context),
    readMaskedContact(receiptToken, context),
    readMailLimit(log, context),
    readReceiptExtra(log, context),
  ]);
  const timeline = timelineOf(log.entries);
  const service = findServiceOf(registry, lead);
  const { subsite, action, purpose } = service;
  const terms = shownTermsOf(log, now, context.site);
  const state = receiptStateOf(
    lead,
    timeline,
    {
      ...log,
      hours: subsite?.hours,
      timeZone: registry.network.timeZone,
      purpose,
      hasAcceptedOffer: terms.agreed !== undefined,
      isAnswerTooLate:
        findRequestedDayBeforeAnswer(registry, log, {
          createdAt: log.createdAt,
          due: log.firstAnswerDue,
        }) !== undefined,
    },
    now,
  );
  const { agreement } = terms;
  const warnings = (lead.warnings ?? []).filter((warning) => !isAboutMissingText(warning));
  const newMessages = listNewMessages(log, lead.offer?.offerId);
  const otherDays = isSandboxToken(receiptToken)
    ? undefined
    : await readOtherDays(lead, daysOf(post), context);
  const text = textOf(post, 'text') ?? '';
  const earlierDesiredDays = parseDesiredDays(
    new URLSearchParams(textOf(post, DESIRED_DAYS_INPUT)),
  );
  const desiredDays = otherDays?.isChoosing ? otherDays.desiredDays : earlierDesiredDays;
  const questions = isAgreed(log.status) ? listOpenQuestions(log.entries) : [];
  return {
    kind: 'receipt',
    lead,
    statusEtag: jsonEtagOf(lead),
    timeline: addMessages(timeline, lead.messages),
    reference: log.reference,
    maskedContact,
    mailLimit,
    extra,
    days: findAgreedDays(log, registry) ?? findCanceledDays(log, registry),
    warnings,
    correctionUrl:
      warnings.length > 0 || lead.status === 'declined'
        ? findCorrectionUrl(log, registry)
        : undefined,
    visit: describeVisit(visitOf(subsite, action, log, agreement), {
      isConfirmed: lead.status === 'confirmed',
    }),
    closedNotice: subsite && describeClosed(subsite, registry.network.timeZone, now),
    agreement,
    isVisitTimeOpen: terms.unsettledDetail === 'timeOpen',
    // The page shows new messages elsewhere.
    laterMessages: listLaterMessages(log).filter((text) => !newMessages.includes(text)),
    item: terms.item,
    offered: terms.offered,
    notice: describeStateForPerson(log, terms, registry),
    bookingText: describeBooking(log, terms),
    unheldText: describeUnheldItem(log, terms, service),
    total: terms.total,
    receiptPrices: terms.receiptPrices,
    today: toDateInTimeZone(registry.network.timeZone, now),
    minimumTerm: terms.minimumTerm,
    publishingPrice: terms.publishingPrice,
    salesTaxPercent: terms.salesTaxPercent,
    possibleDeposit: terms.possibleDeposit,
    requirements: terms.requirements ?? [],
    // If the provider pays the customer, there is no published price for comparison.
    publishedPrice: terms.open && !terms.open.payer ? terms.published : undefined,
    expiryText:
      state.headlineKey === 'new_late' && !log.hold && lead.respondBy !== undefined
        ? describeExpiry(lead.respondBy, service.action, registry.network.timeZone)
        : undefined,
    endedOfferText: describeEndedOffer(terms, service.provider),
    previousAgreement: terms.previousAgreement,
    newMessages: [...questions, ...newMessages],
    state: rejection ? createStateAfterRejection(state) : state,
    sandbox: isSandboxToken(receiptToken),
    isBooking: isBooking(lead, purpose),
    canWithdraw: lead.next.includes('withdraw'),
    canceled:
      purpose === 'question' && !terms.agreed
        ? 'question'
        : (findCancellation({ ...log, state: log.status }, registry) ?? 'request'),
    formKey: randomUUID(),
    hasForm: lead.offer !== undefined || lead.next.includes('reply'),
    enteredText: otherDays?.isChoosing
      ? replaceDesiredDays(text, earlierDesiredDays, desiredDays)
      : text,
    desiredDays,
    otherDays,
    ...(rejection && { rejection }),
  };
}

export function createReceiptPage(context: Context): Page {
  return {
    home: HOME_PATH,
    async show(exchange) {
      return isProgramRequest(exchange.request)
        ? createStatusResponse(receiptTokenOf(exchange), context)
        : createReceiptView(exchange, context);
    },
    async submit(exchange, post) {
      const { kind: channel } = post;
      const body =
        post.kind === 'json' ? post.body : messageForm.read(post.texts, context.site).body;
      const receiptToken = receiptTokenOf(exchange);
      const message = sendMessage.parse(
        isObject(body) ? { ...body, receipt: receiptToken } : body,
        context,
        channel,
      );
      const key =
        post.kind === 'json'
          ? readKeyHeader(exchange.request)
          : post.key && requireValidKey(post.key);
      const { replayed } = await sendMessage.handle(
        message,
        { channel, address: exchange.address, ...(key && { idempotencyKey: key }) },
        context,
      );
      return createSeeOtherResponse(
        receiptPathOf(exchange),
        replayed ? { 'idempotent-replayed': 'true' } : {},
      );
    },
    showRejection: (exchange, rejection, post) =>
      createReceiptView(exchange, context, { rejection, post }),
  };
}

/** Shows the receipt with what the person has entered but not sent. */
export const createDraftPage = (context: Context): Page => ({
  ...createReceiptPage(context),
  rateLimit: 'reads',
  show: async (exchange) => createSeeOtherResponse(receiptPathOf(exchange)),
  submit: (exchange, post) => createReceiptView(exchange, context, { post }),
});

/** Rejections that the receipt page explains: the lead is in another state, erased or unknown. */
const codesExplainedByReceipt: ReadonlySet<ProblemCode> = new Set([
  'conflict',
  'gone',
  'unknown_receipt',
]);

/**
 * Performs a confirmed action on a request and redirects to its receipt. Without the confirmation,
 * shows the receipt with `hint`, an instruction. Opening the URL changes nothing.
 */
const createConfirmedActionPage = (
  context: Context,
  hint: string,
  runAction: (exchange: Exchange) => Promise<void>,
): Page => ({
  ...createReceiptPage(context),
  rateLimit: 'reads',
  show: async (exchange) => createSeeOtherResponse(receiptPathOf(exchange)),
  async submit(exchange, post) {
    if (textOf(post, 'sure') === undefined)
      throw new Problem('invalid_input', hint, {
        errors: [{ pointer: '/sure', message: hint }],
      });
    try {
      await runAction(exchange);
    } catch (thrown) {
      if (!(thrown instanceof Problem && codesExplainedByReceipt.has(thrown.code))) throw thrown;
    }
    return createSeeOtherResponse(receiptPathOf(exchange));
  },
});

export const createWithdrawPage = (context: Context): Page =>
  createConfirmedActionPage(
    context,
    'To cancel the request, choose “Yes, cancel it”.',
    async (exchange) => {
      const input = sendMessage.parse(
        { receipt: receiptTokenOf(exchange), withdraw: true },
        context,
      );
      await sendMessage.handle(input, { channel: 'form' }, context);
    },
  );

export const createErasePage = (context: Context): Page =>
  createConfirmedActionPage(
    context,
    'To erase the request, check “Erase it for good”.',
    (exchange) => eraseLead(receiptTokenOf(exchange), 'person', context),
  );
