import { and, desc, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { outbox } from '../../../db/schema.ts';
import { type AnswerLink, readAnswerLink } from './answer-link.ts';
import type { Context } from '../../operation/context.ts';
import { type ProviderAction, findStateAfterProviderAction } from './conversation.ts';
import { countAddressMail } from '../deliveries/person/address-mail.ts';
import { type LeadEvent, readLeadEvent } from '../deliveries/lead-event.ts';
import {
  type CustomerNotification,
  isMailed,
  describeCustomerNotification,
  describeEventNotification,
  describeWhyNotEmailed,
} from '../deliveries/person/person-mail-topic.ts';
import { describeOrigins } from '../entry-origin.ts';
import { type LeadLog, readLog, conversationOf } from '../lead-log.ts';
import { listEnteredValues, listFreeValues } from '../status/lead-request.ts';
import { messagesOf } from '../status/lead-status.ts';
import { isEnded, isUndecided, type LeadStatus } from '../lead-states.ts';
import { type EnteredHold, findOfferableHold } from '../holds/offered-hold.ts';
import { createOfferInputs } from './offer-inputs.ts';
import { Problem } from '../../operation/problem.ts';
import { describeChangeSince, findNewMessage } from '../lead-changed.ts';
import { namedStateOf } from '../status/timeline.ts';
import {
  findAgreedDays,
  findCancellation,
  findReplaceableText,
  mentionsTimeOrDay,
} from '../status/agreement.ts';
import { describeEarlyHoldEnd, describeNextStep } from '../status/next-step.ts';
import { findNextAnswerDue } from '../status/promised-answer.ts';
import { describeSentConfirmation, listAgreedFacts } from '../status/describe-terms.ts';
import { type ShownTerms, shownTermsOf } from '../status/shown-terms.ts';
import type { Registry } from '../../site/registry.ts';
import { formatPlannedDays } from '../../site/words/words.ts';
import { fill } from '../../text/fill.ts';
import { change as changeText } from '../../text/index.ts';
import { eventRevisionOf, FIRST_EVENT_KIND } from '../lead-rows.ts';
import { describeSentOffer } from './offered-price.ts';
import { canSetVisit } from './visit-time.ts';
import {
  answerAsProvider,
  type ProviderMessage,
  type ProviderOutcome,
} from './provider-message.ts';

/** Whether a link is valid, was used, or is outdated because the lead changed in another way. */
type LinkState = 'open' | 'used' | 'stale';

/** Whether an answer changes a request that is already confirmed. */
const isConfirmationChange = (answer: ProviderAction | 'withdraw', status: LeadStatus): boolean =>
  answer === 'confirm' && status === 'confirmed';

/** Reads a lead's token and latest event. @throws {Problem} not_found */
async function findLead(
  { reference }: Pick<AnswerLink, 'reference'>,
  { database: { writer } }: Context,
): Promise<{ receiptToken: string; newest: string }> {
  const newestEvent = alias(outbox, 'newest');
  const [lead] = await writer
    .select({ receiptToken: outbox.lead, newest: newestEvent.id })
    .from(outbox)
    .innerJoin(newestEvent, eq(newestEvent.lead, outbox.lead))
    .where(and(eq(outbox.id, reference), eq(outbox.kind, FIRST_EVENT_KIND)))
    .orderBy(desc(eventRevisionOf(newestEvent.payload)))
    .limit(1);
  if (!lead)
    throw new Problem(
      'not_found',
      'No request matches the reference in this link. Check that the link is for this network.',
    );
  return lead;
}

/**
 * Describes how the customer is notified of an answer through a link. `addressMailCount` is the
 * number of answers emailed to the customer in the last 24 hours.
 */
function describeAnswerNotification(
  link: LinkState,
  answer: ProviderAction | 'withdraw',
  log: LeadLog,
  event: LeadEvent,
  addressMailCount: number,
  { isCustomerEmailEnabled }: Context,
): CustomerNotification {
  const { lead, person, change } = event;
  if (!isCustomerEmailEnabled && lead.contact.email !== null && person.mail !== 'sent')
    return describeWhyNotEmailed('noMailServer', lead.contact);
  if (link !== 'open')
    return change
      ? describeEventNotification({ ...event, change }, addressMailCount)
      : { text: '', isEmailMissing: false };
  const isEventMailed =
    person.mail === undefined
      ? isMailed(event, addressMailCount)
      : ['pending', 'sent', 'unsent'].includes(person.mail);
  const mailCount = person.mailCount + (isEventMailed ? 1 : 0);
  return describeCustomerNotification(
    { lead, person: { ...person, mailCount } },
    {
      from: log.status,
      to:
        answer === 'withdraw'
          ? 'withdrawn'
          : (findStateAfterProviderAction(answer, conversationOf(log)) ?? log.status),
      by: 'provider',
      note: '',
      ...(isConfirmationChange(answer, log.status) && { kind: 'change' }),
      ...(answer === 'offer' && { offer: {} }),
    },
    addressMailCount + (change && isEventMailed && person.mail === undefined ? 1 : 0),
    answer === 'acknowledge',
  );
}

/**
 * Reads the lead for the page of an answer link, with the values entered in its offer form. Changes
 * nothing, because mail scanners open links.
 * @throws {Problem} not_found; gone when the link has expired or the lead was erased
 */
export async function readAnswerableLead(
  token: string,
  context: Context,
  enteredHold: EnteredHold = {},
) {
  const link = await readAnswerLink(token, context);
  const { answer, reference, revision } = link;
  const { receiptToken, newest: id } = await findLead(link, context);
  const log = await readLog(receiptToken, context);
  const event = (await readLeadEvent(id, context))!;
  const { subsite, action, status, createdAt, entries } = log;
  const newestEntry = entries.at(-1)!;
  const [previousEntry, nextEntry] = entries.slice(revision - 1);
  const changesConfirmedRequest = isConfirmationChange(answer, previousEntry!.status);
  const isUsed =
    nextEntry?.actor === 'provider' &&
    (nextEntry.offer !== undefined) === (answer === 'offer') &&
    (nextEntry.kind === 'change') === changesConfirmedRequest &&
    nextEntry.status ===
      findStateAfterProviderAction(answer, { status: previousEntry!.status, revision });
  const terms = shownTermsOf(log, context.now(), context.site);
  const linkState: LinkState = nextEntry === undefined ? 'open' : isUsed ? 'used' : 'stale';
  const origins = await describeOrigins(receiptToken, context);
  const nextAnswerDue = findNextAnswerDue(log, context.site.registry);
  const isUrgent = log.isEmergency && isUndecided(status);
  return {
    answer,
    reference,
    subsite,
    action,
    status,
    state: namedStateOf(log),
    createdAt,
    /** Deadline for the next answer, ISO 8601. */
    nextAnswerDue,
    /** States that a hold ends before that deadline, if one does. */
    earlyHoldEndNotice: describeEarlyHoldEnd(log, terms, nextAnswerDue, context.site.registry),
    /** What else the provider has to do next, and what happens if the provider does nothing. */
    nextStep: describeNextStep(log, terms, nextAnswerDue, { registry: context.site.registry }),
    customer: event.lead.contact,
    emergency: log.isEmergency,
    /** Whether the lead is an emergency and nothing has been agreed on yet. */
    isUrgent,
    /** Describes the customer's other open request of the same kind. */
    otherOpenRequest: event.otherOpenRequest,
    /** The values that the customer entered in the request. */
    enteredValues: listEnteredValues(context.site, event.lead, terms),
    /** Free-form data of a lead without an action. */
    freeData: listFreeValues(event.lead.data),
    terms,
    ...(answer === 'offer' && {
      /** Initial values of the offer form, by input name. */
      offerInputs: createOfferInputs(log, context.now(), context.site.registry),
      /** Describes the offer that was sent and the published total to compare it with. */
      ...(isUsed &&
        terms.open && { offered: describeSentOffer(log, terms.open, context.site.registry) }),
      /** The item and days that an offer can change; undefined if the request has no hold. */
      offerableHold: findOfferableHold(log, context.now(), context.site.registry, enteredHold),
    }),
    messages: messagesOf(entries, terms),
    /** The text that a change through this link would replace; '' if none. */
    replaceableText:
      changesConfirmedRequest && linkState === 'open' ? findReplaceableText(log) : '',
    link: linkState,
    ...(isUsed && { answeredAt: nextEntry.at }),
    /** Whether the answer through this link is the latest change to the lead. */
    isLatestAnswer: isUsed && nextEntry === newestEntry,
    /** Whether an answer through this link changes a confirmed request. */
    changesConfirmedRequest,
    /** Whether an answer through this link ends the wait for the customer’s reply to a question. */
    endsWaitForReply: answer === 'acknowledge' && previousEntry!.status === 'needs_info',
    /** What declining the request cancels; undefined if it is not confirmed. */
    canceledByDecline: findCancellation(
      { ...log, state: namedStateOf(log) },
      context.site.registry,
    ),
    /** What a confirmed request covers: its days, and what the provider wrote. */
    agreedFacts: listAgreedFacts(log, terms, context.site.registry),
    /** Whether the answer can set the day and time of a visit. */
    canSetVisitTime: canSetVisit(answer) && terms.promiseWithoutHold?.isVisit === true,
    /** Whether the request is confirmed for certain days, which a message cannot change. */
    hasFixedDays: findAgreedDays(log, context.site.registry) !== undefined,
    ended: isEnded(status),
    /**
     * Describes the change sent through this link, or how to change the time after a message about
     * it.
     */
    ...((changesConfirmedRequest || answer === 'reply') &&
      isUsed && { sentText: describeSentAnswer(log, terms, context.site.registry) }),
    /**
     * How the customer is notified of an answer through this link, or was notified of the latest
     * one.
     */
    notification: describeAnswerNotification(
      linkState,
      answer,
      log,
      event,
      await countAddressMail('answer', event.lead.contact.email, context),
      context,
    ),
    latestEvent: {
      at: newestEntry.at,
      actor: newestEntry.actor,
      origin: origins.get(entries.length),
    },
    newMessage: findNewMessage(entries),
    /** How the lead has changed since the link was created, as a clause. */
    change: describeChangeSince(log, revision),
  };
}

/** A lead as the holder of an answer link sees it. */
export type AnswerableLead = Awaited<ReturnType<typeof readAnswerableLead>>;

/** Reads the latest event of a lead. @throws {Problem} not_found */
const readNewestEvent = async (reference: string, context: Context): Promise<LeadEvent> =>
  (await readLeadEvent((await findLead({ reference }, context)).newest, context))!;

/**
 * Describes how the customer was notified of the latest change to a lead.
 * @throws {Problem} not_found
 */
export async function readSentNotification(
  reference: string,
  log: LeadLog,
  context: Context,
): Promise<CustomerNotification> {
  const event = await readNewestEvent(reference, context);
  const addressMailCount = await countAddressMail('answer', event.lead.contact.email, context);
  return describeAnswerNotification('used', 'reply', log, event, addressMailCount, context);
}

/** Answers that notify the customer in the same way. */
export interface AnswerNotification {
  answers: readonly (ProviderAction | 'withdraw')[];
  text: string;
}

/** Describes how the customer is notified of each answer. @throws {Problem} not_found */
export async function readAnswerNotifications(
  reference: string,
  log: LeadLog,
  answers: AnswerNotification['answers'],
  context: Context,
): Promise<AnswerNotification[]> {
  const event = await readNewestEvent(reference, context);
  const addressMailCount = await countAddressMail('answer', event.lead.contact.email, context);
  const groups = Map.groupBy(
    answers,
    (name) => describeAnswerNotification('open', name, log, event, addressMailCount, context).text,
  );
  return [...groups].map(([text, names]) => ({ answers: names, text }));
}

/**
 * Describes the offer, confirmation or change in the latest entry, or how to change the time after a
 * message about it; undefined for other answers.
 */
export function describeSentAnswer(
  log: LeadLog,
  terms: ShownTerms,
  registry: Registry,
): string | undefined {
  const [previous, newest] = log.entries.slice(-2);
  if (newest?.offer) return terms.open && describeSentOffer(log, terms.open, registry);
  const days = findAgreedDays(log, registry);
  if (newest?.kind === 'change')
    return days && fill(changeText.sentDated, { days: formatPlannedDays(days) });
  if (newest?.status !== 'confirmed') return undefined;
  if (previous?.status !== 'confirmed') return describeSentConfirmation(terms);
  const cancellation = findCancellation({ ...log, state: 'confirmed' }, registry);
  return cancellation === 'booking' && mentionsTimeOrDay(newest.note ?? '')
    ? fill(changeText.timeUnchanged, { change: changeText.title.booking })
    : undefined;
}

/**
 * Answers a lead through a link, unless the lead has changed since the link was created.
 * @throws {Problem} not_found; gone when the lead has changed since or the link has expired;
 * invalid_input when text or a price is missing; conflict when another request holds the item
 */
export async function answerLead(
  token: string,
  createBody: (action: ProviderAction) => unknown,
  context: Context,
  form: Pick<ProviderMessage, 'channel' | 'isSure' | 'visit' | 'checkedDays'> = {},
): Promise<ProviderOutcome> {
  const link = await readAnswerLink(token, context);
  const { answer: action, revision } = link;
  const { receiptToken } = await findLead(link, context);
  return answerAsProvider(
    { receiptToken, action, actor: 'provider', revision, origin: { link: true }, ...form },
    createBody(action),
    context,
  );
}
