import { randomUUID } from 'node:crypto';
import {
  describeSentAnswer,
  readAnswerNotifications,
  readSentNotification,
} from '../../leads/conversation/answer-lead.ts';
import { requiresText } from '../../leads/conversation/provider-content.ts';
import { changeLead } from '../../leads/change-lead.ts';
import { providerActions, nextProviderActionsOf } from '../../leads/conversation/conversation.ts';
import { eraseLead } from '../../leads/erase/erase-lead.ts';
import { createOfferInputs } from '../../leads/conversation/offer-inputs.ts';
import { findOfferableHold } from '../../leads/holds/offered-hold.ts';
import { readLog } from '../../leads/lead-log.ts';
import { listEnteredValues, listFreeValues } from '../../leads/status/lead-request.ts';
import { isAnsweredQuestion } from '../../leads/lists/answered-questions.ts';
import { readLead, findReceiptToken } from '../../leads/lists/lead-records.ts';
import { readRemainingCalls } from '../../leads/lists/inbox-overview.ts';
import { isUndecided, canChangeTo } from '../../leads/lead-states.ts';
import {
  requireNoUnsentAcceptance,
  requireNoUnsentPrice,
} from '../../leads/conversation/offered-price.ts';
import { canSetVisit, requireNoUnsentVisit } from '../../leads/conversation/visit-time.ts';
import { recordCall } from '../../leads/conversation/record-call.ts';
import { listCheckboxErrors, sendAsProvider } from '../../leads/conversation/provider-message.ts';
import { describeDeliveryFault } from '../../leads/deliveries/delivery-faults.ts';
import {
  findUnsentReason,
  listUnplannedMessages,
  listUnsentMessages,
} from '../../leads/deliveries/unsent-messages.ts';
import { redeliverLead } from '../../leads/deliveries/redeliver-leads.ts';
import { messagesOf } from '../../leads/status/lead-status.ts';
import { offerStatesOf } from '../../leads/status/offer-state.ts';
import { namedStateOf, personActionOf } from '../../leads/status/timeline.ts';
import {
  findAgreedDays,
  findCancellation,
  findReplaceableText,
  findReplacedTimes,
} from '../../leads/status/agreement.ts';
import { describeEarlyHoldEnd, describeNextStep } from '../../leads/status/next-step.ts';
import { findFirstUnansweredIndex } from '../../leads/status/unanswered-messages.ts';
import { findNextAnswerDue } from '../../leads/status/promised-answer.ts';
import { shownTermsOf } from '../../leads/status/shown-terms.ts';
import {
  describeConfirmation,
  describeTerms,
  listAgreedFacts,
} from '../../leads/status/describe-terms.ts';
import { describeSuspicions } from '../../leads/submit/suspicion.ts';
import { describeOrigins } from '../../leads/entry-origin.ts';
import type { InboxSession } from '../../keys/inbox-session.ts';
import type { Context } from '../../operation/context.ts';
import type { ProblemDetails } from '../../operation/problem.ts';
import { createInputProblem, throwIfAnyFaults } from '../../operation/validate.ts';
import { OFFER_INPUTS, VISIT_INPUTS } from '../../site/forms/answer-input-names.ts';
import type { Exchange } from '../exchange.ts';
import { type Page, createSeeOtherResponse } from './page.ts';
import {
  enteredHoldOf,
  enteredVisitOf,
  groupFaultsByInput,
  keptValuesOf,
  type PagePost,
  createProviderBody,
  formValuesOf,
  revisionOf,
  textOf,
} from './page-post.ts';
import type { LeadView } from '../views.ts';
import {
  INBOX_PATH,
  authenticateSender,
  createSignedOutProblem,
  createSignInPath,
  createSignInView,
  readSession,
  startSession,
} from './inbox-session.ts';

const SENT_PARAMETER = 'sent';
const CALLED_PARAMETER = 'called';

/**
 * Inputs of the answer form, which the viewer may have filled in before choosing another button.
 */
const ANSWER_INPUTS = ['do', 'text', ...OFFER_INPUTS, ...VISIT_INPUTS];

/** The answer that the viewer chose, or the button that cancels a confirmed request. */
const actionNameOf = (post: PagePost | undefined): string | undefined =>
  textOf(post, 'cancel') ?? textOf(post, 'do');

/** The viewer's action other than an answer: `called`, or `redeliver` for the operator. */
const taskOf = (post: PagePost | undefined): string | undefined => textOf(post, 'task');

async function createLeadView(
  exchange: Exchange,
  context: Context,
  {
    rejection,
    post,
    session: newSession,
  }: { rejection?: ProblemDetails; post?: PagePost | undefined; session?: InboxSession } = {},
): Promise<LeadView | undefined> {
  const session = newSession ?? (await readSession(exchange, context));
  if (!session) return undefined;
  const lead = await readLead(exchange.params['reference']!, session.access, context);
  const isOperator = session.access === 'all';
  const unsentMessages = isOperator ? await listUnsentMessages(lead, context) : [];
  const log = lead.status === 'erased' ? undefined : await readLog(lead.token, context);
  const terms = log ? shownTermsOf(log, context.now(), context.site) : {};
  const parameters = new URL(exchange.request.url).searchParams;
  const wasAnswerSent = !rejection && parameters.has(SENT_PARAMETER);
  const wasCallRecorded =
    !rejection &&
    !terms.isCallDue &&
    (parameters.has(CALLED_PARAMETER) || taskOf(post) === 'called') &&
    lead.history.some(({ calledAt }) => calledAt !== undefined);
  const answeredEntries = lead.history.slice(0, findFirstUnansweredIndex(lead.history));
  const newMessages = log
    ? messagesOf(log.entries, terms).slice(messagesOf(answeredEntries, terms).length)
    : [];
  const seenStatus = lead.history[(revisionOf(post) ?? lead.history.length) - 1]?.status;
  const answers = nextProviderActionsOf({ status: lead.status, revision: lead.history.length });
  const next = [
    ...answers,
    ...(isOperator && canChangeTo('withdrawn', lead.status, 'operator')
      ? (['withdraw'] as const)
      : []),
  ];
  const state = namedStateOf({ status: lead.status, entries: lead.history });
  const isAnswered =
    state !== 'canceled' && log !== undefined && isAnsweredQuestion(context.site.registry, log);
  const isUrgent = lead.emergency && isUndecided(lead.status);
  const nextAnswerDue = log && findNextAnswerDue(log, context.site.registry);
  return {
    kind: 'lead',
    lead,
    deliveryFaults: lead.deliveries.map((delivery) => {
      const { channel, lastOutcome, lastResponse, sentAt } = delivery;
      if (!isOperator || sentAt !== null) return undefined;
      const fault =
        lastOutcome === null
          ? undefined
          : describeDeliveryFault(channel, lastOutcome, lastResponse);
      return findUnsentReason(delivery, unsentMessages)?.reason ?? fault;
    }),
    unplannedMessages: listUnplannedMessages(lead, unsentMessages),
    state: isAnswered ? 'answered' : state,
    origins: await describeOrigins(lead.token, context),
    isOutdated: (revisionOf(post) ?? lead.history.length) !== lead.history.length,
    states: lead.history.map(({ status }, index) =>
      namedStateOf({ status, entries: lead.history.slice(0, index) }),
    ),
    agreedMessages: log ? listAgreedFacts(log, terms, context.site.registry) : [],
    replacedTimes: findReplacedTimes(lead.history),
    customerActions: lead.history.map(({ actor, status }, index) =>
      actor === 'person' ? personActionOf(lead.history[index - 1]?.status, status) : undefined,
    ),
    enteredValues: listEnteredValues(context.site, { ...lead, contact: lead }, terms),
    newMessages,
    wasOfferChosen: textOf(post, 'do') === 'offer',
    freeData: listFreeValues(lead.data),
    isUrgent,
    nextAnswerDue,
    earlyHoldEndNotice:
      log && describeEarlyHoldEnd(log, terms, nextAnswerDue, context.site.registry),
    nextStep: log
      ? describeNextStep(log, terms, nextAnswerDue, {
          registry: context.site.registry,
          isInInbox: true,
        })
      : '',
    shownTerms: terms,
    offerableHold:
      log && findOfferableHold(log, context.now(), context.site.registry, enteredHoldOf(post)),
    offers: offerStatesOf(lead.history, terms),
    terms: describeTerms(terms, context.site),
    confirmationText: describeConfirmation(terms, 'confirming'),
    canceledByDecline:
      log && findCancellation({ ...log, state: namedStateOf(log) }, context.site.registry),
    canSetVisitTime: terms.promiseWithoutHold?.isVisit === true && answers.some(canSetVisit),
    hasFixedDays: log !== undefined && findAgreedDays(log, context.site.registry) !== undefined,
    replaceableText: log ? findReplaceableText(log) : '',
    notifications: log ? await readAnswerNotifications(lead.reference, log, next, context) : [],
    sentText: log && describeSentAnswer(log, terms, context.site.registry),
    sentNotification:
      log && wasAnswerSent && log.entries.at(-1)?.actor === (isOperator ? 'operator' : 'provider')
        ? await readSentNotification(lead.reference, log, context)
        : undefined,
    remainingCalls: wasCallRecorded ? await readRemainingCalls(session.access, context) : undefined,
    revision: lead.history.length,
    formToken: session.formToken,
    formKey: randomUUID(),
    isOperator,
    next,
    answersRequiringText: answers.filter((answer) => requiresText(answer, lead.status)),
    suspicions: describeSuspicions(lead.suspicions),
    formValues: {
      ...formValuesOf(post, {
        ...(log && createOfferInputs(log, context.now(), context.site.registry)),
        text: '',
      }),
      // A choice that the viewer made while the lead was in another state may now mean something
      // else.
      ...(seenStatus !== lead.status && { do: '' }),
    },
    faults: groupFaultsByInput(rejection),
    ...(rejection && { rejection }),
  };
}

/** Rejects a new price with an action that would not send it. @throws {Problem} invalid_input */
async function checkUnsentPrice(
  receiptToken: string,
  post: PagePost,
  context: Context,
): Promise<void> {
  const amount = textOf(post, 'amount');
  if (amount === undefined || actionNameOf(post) === 'offer') return;
  const log = await readLog(receiptToken, context);
  // If the page is outdated, the action is rejected because the lead has changed.
  const isOutdated = (revisionOf(post) ?? log.entries.length) !== log.entries.length;
  if (!isOutdated) requireNoUnsentPrice(amount, log);
}

/**
 * Performs the action that the viewer chose. A provider can answer; only the operator can notify
 * the provider again, withdraw the lead for the customer, or erase it. @throws {Problem}
 */
async function performAction(
  receiptToken: string,
  post: PagePost,
  session: InboxSession,
  context: Context,
): Promise<void> {
  const isOperator = session.access === 'all';
  const origin = { key: session.keyId };
  const actionName = actionNameOf(post);
  const isSure = textOf(post, 'sure') !== undefined;
  const providerAction = providerActions.find((name) => name === actionName);
  const task = taskOf(post);
  if (task === 'called') return recordCall(receiptToken, revisionOf(post), context);
  if (isOperator && task === 'redeliver') return redeliverLead(receiptToken, context);
  if (task !== undefined) throw createInputProblem('/task', 'Choose an action.');
  if (['accepted', 'asRequested'].some((name) => textOf(post, name) !== undefined))
    requireNoUnsentAcceptance(actionName);
  await checkUnsentPrice(receiptToken, post, context);
  requireNoUnsentVisit(providerAction, enteredVisitOf(post));
  if (isOperator && actionName === 'erase' && isSure)
    await eraseLead(receiptToken, 'operator', context);
  else if (isOperator && actionName === 'withdraw') {
    const { status } = await readLog(receiptToken, context);
    if (status === 'confirmed') throwIfAnyFaults(listCheckboxErrors(isSure));
    await changeLead(
      {
        receiptToken,
        to: 'withdrawn',
        actor: 'operator',
        origin,
        note: textOf(post, 'text'),
        revision: revisionOf(post),
        from: 'page',
      },
      context,
    );
  } else if (providerAction && post.kind === 'form')
    await sendAsProvider(
      {
        receiptToken,
        action: providerAction,
        actor: isOperator ? 'operator' : 'provider',
        origin,
        key: post.key,
        // The customer may have written, or someone else answered, since the page was shown.
        revision: revisionOf(post),
        from: 'page',
        channel: 'form',
        isSure,
        visit: enteredVisitOf(post),
        checkedDays: textOf(post, 'checkedDays'),
      },
      createProviderBody(post.texts, providerAction),
      context,
    );
  else throw createInputProblem('/do', 'Choose an action.');
}

export function createInboxLeadPage(context: Context): Page {
  const showLead = async (exchange: Exchange, post?: PagePost) =>
    (await createLeadView(exchange, context, { post })) ??
    createSeeOtherResponse(createSignInPath(exchange.params['reference']!));
  return {
    home: INBOX_PATH,
    show: async (exchange) => showLead(exchange),
    async submit(exchange, post) {
      const sender = await authenticateSender(exchange, post, context);
      const reference = exchange.params['reference']!;
      if (!sender) {
        const key = textOf(post, 'key');
        if (key === undefined) throw createSignedOutProblem();
        const { session, cookies } = await startSession(exchange, key, context, reference);
        const kept: PagePost = { kind: 'form', texts: keptValuesOf(post) };
        const view = await createLeadView(exchange, context, { post: kept, session });
        return { view: view!, cookies };
      }
      const receiptToken = await findReceiptToken(reference, sender.access, context);
      await performAction(receiptToken, post, sender, context);
      const task = taskOf(post);
      if (task !== undefined && ANSWER_INPUTS.some((name) => textOf(post, name) !== undefined))
        return showLead(exchange, post);
      const actionName = actionNameOf(post);
      const isAnswer = providerActions.some((action) => action === actionName);
      const outcome = isAnswer ? `?${SENT_PARAMETER}` : '';
      return createSeeOtherResponse(
        `${INBOX_PATH}/${reference}${task === 'called' ? `?${CALLED_PARAMETER}` : outcome}`,
      );
    },
    showRejection: async (exchange, rejection, post) =>
      (await createLeadView(exchange, context, { rejection, post })) ??
      createSignInView(exchange, rejection, post, context),
  };
}
