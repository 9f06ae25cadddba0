import { describeOpenState } from '../../../site/calendar/opening-hours.ts';
import { endingOf, listNextSteps, type NextStep } from '../../../site/other-services.ts';
import { findServiceOf } from '../../../site/service-of-request.ts';
import type { Site } from '../../../site/site.ts';
import { formatOffer } from '../../../site/words/offer-words.ts';
import { formatReference, formatShortDays, formatTime } from '../../../site/words/words.ts';
import { fill } from '../../../text/fill.ts';
import {
  customerForm,
  mailedOffer,
  personMail,
  receipt as receiptText,
  timelines,
} from '../../../text/index.ts';
import { findOfferedHold, type Offer } from '../../conversation/conversation.ts';
import { conversationOf, type LeadLog, type LoggedState } from '../../lead-log.ts';
import { isUndecided } from '../../lead-states.ts';
import { findRequestedDays } from '../../status/agreement.ts';
import {
  describeBooking,
  describeEndedOffer,
  describeUnheldItem,
} from '../../status/describe-terms.ts';
import { addWarnings, createPersonNotice } from '../../status/lead-notice.ts';
import { offerNoticeKeyOf } from '../../status/lead-status.ts';
import { isAboutMissingText } from '../../status/lead-warnings.ts';
import { createReceiptUrl } from '../../status/receipt.ts';
import { shownTermsOf } from '../../status/shown-terms.ts';
import { namedStateOf, type Step, timelineOf } from '../../status/timeline.ts';
import { listOpenQuestions } from '../../status/unanswered-messages.ts';
import type { LeadEvent } from '../lead-event.ts';
import { acceptsReplies, findMailLimit } from '../mail-limit.ts';
import { quoteEach } from '../../../operation/quote-lines.ts';
import { describeEndedTexts } from '../event-texts.ts';
import type { MailText } from '../mail-text.ts';
import { collectLines, renderIncludedLines, renderOfferLines } from '../mail-lines.ts';
import { type MailedRequest, type StorefrontForMail, renderFacts } from './person-mail-facts.ts';
import type { PersonMailTopic } from './person-mail-topic.ts';

/** URL of the page where a recipient of email about a lead can unsubscribe or erase the lead. */
export const createNotMeUrl = ({ base }: Site, receiptToken: string): string =>
  `${createReceiptUrl(base, receiptToken)}/not-me`;

/** Describes the effect of accepting an offer, for the person. */
const describeAcceptance = ({ confirmOnAccept }: Offer, provider: string) =>
  [
    mailedOffer.whenYouAccept,
    confirmOnAccept
      ? mailedOffer.requestConfirmedAtOnce
      : fill(mailedOffer.providerConfirms, { provider }),
  ] as const;

const renderStepLine = (step: NextStep, base: string): string =>
  step.label === 'call'
    ? [
        fill(receiptText.call, step),
        ...(step.hours === undefined ? [] : [fill(receiptText.callHours, { hours: step.hours })]),
      ].join(' ')
    : fill(personMail.elsewhere, {
        label: fill(receiptText[step.label], { service: step.service }),
        url: `${base}${step.url}`,
      });

const isWithdrawal = (topic: PersonMailTopic): boolean =>
  topic === 'withdrawn' || topic === 'withdrawn_confirmed';

function eventTextsOf({
  topic,
  action,
  purpose,
  terms,
  log,
  replacedOffer,
}: Pick<
  MailedRequest,
  'topic' | 'action' | 'purpose' | 'terms' | 'log' | 'replacedOffer'
>): Readonly<Record<'event' | 'happened' | 'link', string>> {
  if (action?.effect?.kind === 'storefront') {
    if (topic === 'receipt') return personMail.storefront;
    if (topic === 'confirmed') return personMail.confirmedStorefront;
  }
  if (topic === 'receipt' && purpose === 'subscription') return personMail.subscribed;
  if (topic === 'declined' && purpose === 'question') return personMail.declinedQuestion;
  if (topic === 'declined' && log.isEmergency) return personMail.declinedEmergency;
  if (topic === 'accepted' && log.isEmergency) return personMail.acceptedEmergency;
  if (topic === 'offer' && replacedOffer) return personMail.newOffer;
  if (topic === 'confirmed' && purpose === 'question' && !terms.agreed)
    return personMail.confirmedQuestion;
  if (topic === 'changed' && terms.agreement?.changeKind === 'firstTime')
    return personMail.firstTime;
  if (topic === 'changed' && terms.agreement?.changeKind === 'other') return personMail.otherChange;
  if (isWithdrawal(topic) && purpose === 'subscription') return personMail.unsubscribed;
  return personMail.eventTexts[topic];
}

/** The steps after the first `revision` history entries, oldest first. */
const listLaterSteps = ({ entries }: LoggedState, revision: number): Step[] =>
  timelineOf(entries).slice(timelineOf(entries.slice(0, revision)).length);

function renderNews(request: MailedRequest, laterSteps: readonly Step[]): string[] {
  const { site, topic, action, provider, phone, kind, requestNoun, log, terms } = request;
  const { replacedOffer } = request;
  const { timeZone } = site.registry.network;
  const happened = fill(eventTextsOf(request).happened, {
    request: requestNoun,
    provider,
    phone,
    about: action?.intro ?? '',
    offer: replacedOffer ? formatOffer(replacedOffer, 'person', terms.salesTaxPercent) : '',
  }).trim();
  return collectLines(
    [happened, request.endedText].filter(Boolean).join(' '),
    topic === 'confirmed' && describeEndedOffer(terms, provider),
    topic === 'confirmed' && describeBooking(log, terms),
    describeUnheldItem(log, terms, { provider, phone }),
    topic === 'question' && terms.heldUntil === undefined && personMail.noDeadline,
    laterSteps.length > 0 && personMail.since,
    laterSteps.map(({ step, at }) =>
      fill(personMail.laterStep, { at: formatTime(at, timeZone), step: timelines[kind][step] }),
    ),
  );
}

/** The provider's messages, question and offer. `newOffer` is the offer that the email is about. */
function renderMessages(
  { site, topic, provider, log, terms, offersOtherHold }: MailedRequest,
  texts: readonly string[],
  newOffer: Offer | undefined,
): string[] {
  const { timeZone } = site.registry.network;
  const isConfirmed = topic === 'confirmed';
  const questions = isConfirmed ? listOpenQuestions(log.entries) : [];
  const offer = terms.open ?? newOffer;
  return collectLines(
    quoteEach(texts),
    questions.length > 0 && [fill(personMail.openQuestion, { provider }), ...quoteEach(questions)],
    offer && !newOffer && personMail.stillOpen,
    offer && [
      ...renderOfferLines(
        offer,
        'person',
        (time) => formatTime(time, timeZone),
        terms.open && describeAcceptance(terms.open, provider),
        terms,
      ),
      '',
    ],
    offersOtherHold && [customerForm.offeredHoldNote, ''],
    (isConfirmed || topic === 'accepted') && terms.agreed && renderIncludedLines(terms.agreed),
  );
}

function renderNextSteps({
  site: { registry, base },
  topic,
  subsite,
  action,
  terms: { item },
  log,
  now,
}: MailedRequest & { now: Date }): string[] {
  const ending = endingOf(topic === 'canceled' ? topic : log.status);
  if (!ending) return [];
  const isOpen = subsite && describeOpenState(subsite, registry.network.timeZone, now)?.open;
  const request = { subsite, verb: log.action, action, item, isOpen };
  const steps = listNextSteps(registry, ending, request);
  return steps.length ? [...steps.map((step) => renderStepLine(step, base)), ''] : [];
}

/**
 * The email that notifies a person of an event. It describes the request as of `now`, the time of
 * sending (by default, the time of the event), and lists what happened after the event. It quotes
 * only the provider, never the caller, because callers can enter other people's email addresses;
 * the address of an unpublished storefront is the caller's text, too.
 */
export function renderPersonMail(
  topic: PersonMailTopic,
  event: LeadEvent,
  log: LeadLog,
  { site, now = new Date(event.at), ...storefront }: StorefrontForMail & { site: Site; now?: Date },
): MailText {
  const { registry, base } = site;
  const { change, lead, person, firstAnswerDue, replacedOffer, revision } = event;
  const service = findServiceOf(registry, lead);
  const { action, provider, phone, kind } = service;
  const terms = shownTermsOf(log, now, site);
  const offer = change?.offer ?? terms.open;
  const offeredHold = offer && findOfferedHold(offer);
  const request: MailedRequest = {
    site,
    topic,
    ...service,
    log,
    reference: lead.reference,
    terms,
    answerDue:
      topic === 'receipt' && log.entries.length === revision ? firstAnswerDue : lead.respondBy,
    offersOtherHold: offeredHold !== undefined,
    replacedOffer,
    endedText: describeEndedTexts(event),
  };
  const isReceipt = topic === 'receipt';
  const texts =
    topic === 'confirmed' || topic === 'accepted'
      ? (terms.agreement?.texts ?? [])
      : change?.note && change.by !== 'person'
        ? [change.note]
        : [];
  const laterSteps = listLaterSteps(log, revision);
  const hasEndedOffer = topic === 'offer' && !terms.open;
  const eventTexts = eventTextsOf(request);
  const days = findRequestedDays(log, registry);
  const otherDays = topic === 'offer' && offeredHold ? formatShortDays(offeredHold) : undefined;
  const stateNotice = createPersonNotice(registry, {
    ...log,
    offer: offerNoticeKeyOf(conversationOf(log).offer, terms),
    wasConfirmed: namedStateOf(log) === 'canceled',
  });
  const warnings = terms.warnings?.filter((warning) => !isAboutMissingText(warning)) ?? [];
  const limit = findMailLimit(log, person.mailCount + 1, now);
  return {
    subject: fill(days ? personMail.subjectWithDays : personMail.subject[kind], {
      provider,
      event:
        otherDays === undefined || (days && otherDays === formatShortDays(days))
          ? eventTexts.event
          : fill(personMail.offeredOther, { days: otherDays }),
      reference: formatReference(lead.reference),
      days: days ? formatShortDays(days) : '',
    }),
    text: collectLines(
      isReceipt && warnings.flatMap(({ message }) => [message, '']),
      renderNews(request, laterSteps),
      '',
      isWithdrawal(topic) &&
        texts.length > 0 && [
          fill(personMail.wrote, { organization: registry.network.organization.name }),
          '',
        ],
      renderMessages(request, texts, change?.offer),
      renderFacts(request, storefront),
      '',
      isReceipt && action?.messageHint !== undefined && [action.messageHint, ''],
      isReceipt &&
        isUndecided(log.status) &&
        terms.lacksAddress && [fill(personMail.noAddress, { provider }), ''],
      laterSteps.length > 0 || hasEndedOffer
        ? personMail.currentRequest[kind]
        : fill(eventTexts.link, { provider }),
      createReceiptUrl(base, person.receiptToken),
      '',
      renderNextSteps({ ...request, now }),
      // The first sentence of a confirmation or cancellation already tells the person everything.
      topic !== 'confirmed' &&
        topic !== 'accepted' &&
        !isWithdrawal(topic) && [addWarnings(stateNotice, isReceipt ? [] : warnings), ''],
      limit && [personMail.last[limit], ''],
      fill(acceptsReplies(log, now) ? personMail.noReplies : personMail.callInstead, {
        provider,
        phone,
      }),
      '',
      personMail.notMe[kind],
      createNotMeUrl(site, person.receiptToken),
      '',
    ).join('\n'),
  };
}
