import type { Action } from '../../registry/action.ts';
import type { Subsite } from '../../registry/subsite.ts';
import { kindOf, formatFieldValue } from '../../fields/fields.ts';
import { listRequirements } from '../../site/forms/requirements.ts';
import { endingOf, listNextSteps, type NextStep } from '../../site/other-services.ts';
import { actionOf, findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import {
  formatPlannedDay,
  formatPromisedTime,
  formatReference,
  formatShortDays,
  formatTime,
} from '../../site/words/words.ts';
import { listPossiblePrices } from '../../site/prices.ts';
import {
  describePublishedPrice,
  formatHeadlinePriceLine,
  formatRequestNoun,
} from '../../site/words/record-words.ts';
import { describePublishing } from '../../text/storefront-words.ts';
import { labelBeforeValue, labelOf } from '../../site/words/field-words.ts';
import { fill } from '../../text/fill.ts';
import {
  customerForm,
  mailedOffer,
  personMail,
  receipt as receiptText,
  timeline,
} from '../../text/index.ts';
import { describePublishedTerms, formatPriceWithPayer } from '../../text/offer-words.ts';
import { phoneOf } from '../../site/phone.ts';
import { findRequestedItem } from '../../site/forms/requested-item.ts';
import {
  findStateAfterCustomerAction,
  findOfferedHold,
  type Offer,
} from '../conversation/conversation.ts';
import { type LeadLog, conversationOf } from '../lead-log.ts';
import { rewindRequest } from '../holds/log-with-hold.ts';
import { isEnded } from '../lead-states.ts';
import {
  findAgreedDays,
  listAgreedTexts,
  findAgreedText,
  findCanceledDays,
  findRequestedDays,
} from '../status/agreement.ts';
import { noticeOf, listOpenWarnings, stateNoticeOf } from '../status/lead-notice.ts';
import { createReceiptUrl } from '../status/receipt.ts';
import { type ShownTerms, shownTermsOf } from '../status/shown-terms.ts';
import { describeEndedOffer } from '../status/describe-terms.ts';
import { type Step, timelineOf } from '../status/timeline.ts';
import { findOpenQuestion } from '../status/unanswered-texts.ts';
import { describeVisit, visitOf } from '../status/visit.ts';
import type { LeadEvent } from './lead-event.ts';
import { findMailLimit } from './mail-limit.ts';
import { renderIncludedLines, type MailText, renderOfferLines, quoteLines } from './mail-text.ts';
import type { PersonMailTopic } from './person-mail-topic.ts';

const { facts } = personMail;

/** The lines of a text without its absent parts; '' is an empty line. */
const collectLines = (
  ...parts: readonly (string | readonly string[] | false | undefined)[]
): string[] => parts.flatMap((part) => (part === false || part === undefined ? [] : part));

/** URL of the page where a recipient of email about a lead can unsubscribe or erase the lead. */
export const createNotMeUrl = ({ base }: Site, token: string): string =>
  `${createReceiptUrl(base, token)}/not-me`;

/** Describes the effect of accepting an offer, for the person. */
const describeAcceptance = ({ confirmOnAccept }: Offer, provider: string) =>
  [
    mailedOffer.whenYouAccept,
    confirmOnAccept
      ? mailedOffer.requestConfirmedAtOnce
      : fill(mailedOffer.providerConfirms, { provider }),
  ] as const;

/**
 * Only the requested choices, numbers and dates, because callers can put any text into other
 * fields.
 */
const renderRequestLines = (
  action: Action | undefined,
  values: LeadLog['fields'],
  itemField: string | undefined,
): string[] =>
  Object.entries(action?.fields ?? {}).flatMap(([name, field]) => {
    const submittedValue = values[name];
    const { isNeverPersonal, isDay } = kindOf(field);
    if (
      !isNeverPersonal ||
      submittedValue === undefined ||
      submittedValue === field.known ||
      name === itemField
    )
      return [];
    const value = isDay
      ? formatPlannedDay(String(submittedValue))
      : formatFieldValue(submittedValue, field);
    return [fill(facts.field, { label: labelBeforeValue(labelOf(name, field)), value })];
  });

/** The price, its notes and deposit, and the time until which the item is held. */
function renderTermLines(
  terms: ShownTerms,
  agreement: string | undefined,
  describeHold: (until: string) => string,
  timeZone: string,
): string[] {
  const { agreed, agreedBefore, open, total, notes, publishedTerms, deposit, heldUntil } = terms;
  return collectLines(
    agreed && fill(facts.price, { price: formatPriceWithPayer(agreed, 'person') }),
    agreedBefore && fill(facts.agreedBefore, { price: agreedBefore.price }),
    total && fill(facts.price, { price: total.price }),
    notes ? fill(facts.notes, { notes }) : undefined,
    publishedTerms && (agreed || open)
      ? describePublishedTerms(publishedTerms, { isAccepted: agreed !== undefined, agreement })
      : undefined,
    deposit ? fill(facts.deposit, { deposit }) : undefined,
    heldUntil ? describeHold(formatPromisedTime(heldUntil, timeZone)) : undefined,
  );
}

/** The prices of a service that are not the price of a certain request. */
function renderPriceLines(subsite: Subsite | undefined, action: Action | undefined): string[] {
  const lines = listPossiblePrices(subsite, action).map((price) =>
    fill(facts.publishedPrice, { price: describePublishedPrice(price) }),
  );
  return lines.length ? [facts.prices, ...lines] : [];
}

/** What the person can do after the request has ended. */
const renderStepLine = (step: NextStep, base: string): string =>
  step.label === 'nobodyElse'
    ? fill(receiptText.nobodyElse, { phone: step.phone })
    : fill(personMail.elsewhere, {
        label: fill(receiptText[step.label], { service: step.service }),
        url: `${base}${step.url}`,
      });

/** The first sentence about an event, and the words before the link to the receipt. */
function newsOf(
  topic: PersonMailTopic,
  purpose: Action['purpose'],
): Readonly<Record<'event' | 'happened' | 'link', string>> {
  if (topic === 'receipt' && purpose === 'subscription') return personMail.subscribed;
  if (topic === 'declined' && purpose === 'question') return personMail.declinedQuestion;
  if ((topic === 'withdrawn' || topic === 'withdrawn_confirmed') && purpose === 'subscription')
    return personMail.unsubscribed;
  return personMail.news[topic];
}

/** When and where a confirmed visit takes place. */
function renderVisitLines(
  subsite: Subsite | undefined,
  action: Action | undefined,
  log: LeadLog,
  agreedOfferId: string | undefined,
): string[] {
  const visit = visitOf(subsite, action, log, findAgreedText(log, agreedOfferId));
  return describeVisit(visit).map((pair) => pair.join(': '));
}

/** What the person needs for the request. */
function renderRequirementLines(action: Action | undefined, { fields }: LeadLog): string[] {
  const requirements = listRequirements(action, fields);
  return requirements.length ? [personMail.bring, ...requirements.map((one) => `- ${one}`)] : [];
}

/** Where a held item is and when the place is open, before the confirmation, as on the receipt. */
const renderPlaceLines = (
  subsite: Subsite | undefined,
  action: Action | undefined,
  log: LeadLog,
): string[] =>
  describeVisit(visitOf(subsite, action, log)).map(([name, value]) =>
    [fill(receiptText.ifConfirmed, { name }), value].join(': '),
  );

/** What happened after an event, oldest first; an offer that replaces another is a step, too. */
function listLaterSteps(log: LeadLog, logAtEvent: LeadLog): Step[] {
  const steps = timelineOf(log.entries).slice(timelineOf(logAtEvent.entries).length);
  const replacements = log.entries
    .slice(logAtEvent.entries.length)
    .filter(({ offer, at }) => offer && !steps.some((one) => one.at === at));
  return [...steps, ...replacements.map(({ at }) => ({ step: 'quoted' as const, at }))].sort(
    (one, other) => Date.parse(one.at) - Date.parse(other.at),
  );
}

/**
 * The email that notifies a person of an event. It describes the request at the time of the event,
 * and lists later changes. It quotes only the provider, never the caller, because callers can enter
 * other people's email addresses; the address of an unpublished storefront is the caller's text, too.
 */
export function renderPersonMail(
  topic: PersonMailTopic,
  { change, lead: newestLead, person, promised, revision, at }: LeadEvent,
  log: LeadLog,
  {
    site,
    previewUrl,
    isPublished = false,
  }: { site: Site; previewUrl?: string | undefined; isPublished?: boolean | undefined },
): MailText {
  const { registry, base } = site;
  const logAtEvent = rewindRequest(log, revision, registry);
  const lead = { ...newestLead, fields: logAtEvent.fields };
  const subsite = findSubsite(registry, lead.subsite);
  const action = actionOf(registry, lead);
  const request = formatRequestNoun(action, lead.action);
  const reference = formatReference(lead.reference);
  const { timeZone } = registry.network;
  const formatLocalTime = (time: string) => formatTime(time, timeZone);
  const isSubscription = topic === 'receipt' && action?.purpose === 'subscription';
  const { event, happened, link } = newsOf(topic, action?.purpose);
  const isConfirmed = topic === 'confirmed';
  const { status } = logAtEvent;
  const laterSteps = listLaterSteps(log, logAtEvent);
  const hasChanged = laterSteps.length > 0;
  const terms = shownTermsOf(logAtEvent, new Date(at), site);
  const { agreed, open } = terms;
  const provider = subsite?.title ?? lead.subsite;
  const phone = phoneOf(subsite, registry);
  const days = findRequestedDays(lead, registry);
  const hasDays =
    (findAgreedDays(logAtEvent, registry) ?? findCanceledDays(logAtEvent, registry)) !== undefined;
  const acceptsReplies =
    findStateAfterCustomerAction('reply', conversationOf(log), new Date(at)) !== undefined;
  const limit = findMailLimit(log, person.mailCount + 1, new Date(at));
  const texts = isConfirmed
    ? listAgreedTexts(logAtEvent, agreed?.offerId)
    : change?.note && change.by !== 'person'
      ? [change.note]
      : [];
  const left = isConfirmed ? findOpenQuestion(logAtEvent.entries) : undefined;
  const question = left !== undefined && !texts.includes(left) ? left : undefined;
  const endedOfferText = isConfirmed ? describeEndedOffer(terms, provider, texts) : undefined;
  const calendarUrl = `${createReceiptUrl(base, person.token)}/calendar`;
  const item = findRequestedItem(registry, lead.subsite, action, lead.fields);
  const itemPrice = agreed || isEnded(status) ? undefined : item?.price;
  const noticeInput = {
    ...lead,
    status,
    isEmergency: log.isEmergency,
    reachable: true,
    hasEmail: true,
    promise: { createdAt: lead.createdAt, respondBy: promised },
  };
  const ending = endingOf(topic === 'canceled' ? topic : status);
  const stepLines = ending
    ? listNextSteps(registry, ending, { subsite, verb: lead.action, action, item }).map((step) =>
        renderStepLine(step, base),
      )
    : [];
  const isReceipt = topic === 'receipt';
  const shownOffer = change?.offer ?? open;
  const offer = shownOffer?.confirmOnAccept ? ('confirms' as const) : undefined;
  const offersOtherHold = shownOffer !== undefined && findOfferedHold(shownOffer) !== undefined;
  return {
    subject: fill(days ? personMail.subjectWithDays : personMail.subject, {
      provider,
      event,
      reference,
      days: days ? formatShortDays(days) : '',
    }),
    text: collectLines(
      isReceipt && listOpenWarnings(registry, noticeInput).flatMap(({ message }) => [message, '']),
      collectLines(
        fill(happened, { request, provider, about: action?.intro ?? '' }).trim(),
        isConfirmed && action?.purpose === 'question' && !agreed && personMail.nothingSold,
      ).join(' '),
      endedOfferText,
      hasChanged && personMail.since,
      laterSteps.map(({ step, at }) =>
        fill(personMail.laterStep, { at: formatLocalTime(at), step: timeline[step] }),
      ),
      '',
      texts.flatMap((one) => [...quoteLines(one), '']),
      question !== undefined && [
        fill(personMail.openQuestion, { provider }),
        ...quoteLines(question),
        '',
      ],
      shownOffer && !change?.offer && personMail.stillOpen,
      shownOffer && [
        ...renderOfferLines(
          shownOffer,
          'person',
          formatLocalTime,
          describeAcceptance(shownOffer, provider),
        ),
        '',
      ],
      offersOtherHold && [customerForm.offeredHoldNote, ''],
      isConfirmed && agreed && renderIncludedLines(agreed),
      fill(facts.service, { service: provider }),
      item && fill(facts.item, { item: itemPrice ? `${item.title}, ${itemPrice}` : item.title }),
      renderRequestLines(action, lead.fields, item?.field),
      renderTermLines(
        terms,
        findAgreedText(logAtEvent, agreed?.offerId),
        (until) =>
          fill(offersOtherHold ? facts.heldAlongsideOffer : facts.held, { until, provider }),
        timeZone,
      ),
      isReceipt && !terms.total && !item && renderPriceLines(subsite, action),
      fill(facts.received, { at: formatLocalTime(lead.createdAt) }),
      isReceipt &&
        !isSubscription &&
        fill(facts.promised, { deadline: formatPromisedTime(promised, timeZone) }),
      fill(facts.reference, { reference }),
      fill(facts.phone, { provider, phone }),
      isConfirmed && renderVisitLines(subsite, action, logAtEvent, agreed?.offerId),
      isReceipt && action?.effect?.kind === 'hold' && renderPlaceLines(subsite, action, logAtEvent),
      (isConfirmed || isReceipt) && renderRequirementLines(action, logAtEvent),
      previewUrl !== undefined &&
        (isPublished
          ? fill(facts.storefront, { url: previewUrl })
          : [
              facts.unpublishedStorefront,
              fill(facts.storefrontChange, {
                provider,
                publishing: describePublishing(
                  registry.network.organization.name,
                  subsite && formatHeadlinePriceLine(subsite),
                ),
              }),
            ]),
      action?.effect?.kind === 'storefront' && isEnded(status) && facts.storefrontRemoved,
      hasDays &&
        (isEnded(status) || isConfirmed) &&
        fill(isConfirmed ? facts.calendar : facts.removeFromCalendar, { url: calendarUrl }),
      '',
      hasChanged ? personMail.currentRequest : fill(link, { provider }),
      createReceiptUrl(base, person.token),
      '',
      stepLines.length > 0 && [...stepLines, ''],
      // The first sentence of these emails says that nothing is booked.
      !isConfirmed &&
        topic !== 'withdrawn' &&
        topic !== 'withdrawn_confirmed' && [
          isReceipt
            ? stateNoticeOf(registry, { ...lead, status, offer })
            : noticeOf(registry, { ...noticeInput, offer, wasConfirmed: topic === 'canceled' }),
          '',
        ],
      limit && [personMail.last[limit], ''],
      fill(acceptsReplies ? personMail.noReplies : personMail.callInstead, {
        provider,
        phone,
      }),
      '',
      personMail.notMe,
      createNotMeUrl(site, person.token),
      '',
    ).join('\n'),
  };
}
