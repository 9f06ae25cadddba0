import { formatPhone } from '../../fields/kinds/phone.ts';
import { listAnswerNames } from '../conversation/answer-link.ts';
import { describeSuspicions } from '../submit/suspicion.ts';
import { actionOf, type Registry } from '../../site/registry.ts';
import { answerTextsOf } from '../../text/answer-words.ts';
import { findServiceOf } from '../../site/service-of-request.ts';
import { labelBeforeValue } from '../../site/words/field-words.ts';
import type { Site } from '../../site/site.ts';
import {
  formatPromisedTime,
  formatReference,
  formatShortDays,
  formatTime,
} from '../../site/words/words.ts';
import { quoteEach, quoteLines } from '../../operation/quote-lines.ts';
import { fill } from '../../text/fill.ts';
import { answer, mailedOffer, providerMail, providerStates } from '../../text/index.ts';
import type { Offer } from '../conversation/conversation.ts';
import { isAgreed, isEnded } from '../lead-states.ts';
import { findRequestedDays, findCancellation } from '../status/agreement.ts';
import { listEnteredValues, listFreeValues } from '../status/lead-request.ts';
import type { LeadEvent } from './lead-event.ts';
import { describeEvent, nameEvent } from './event-texts.ts';
import { collectLines, renderIncludedLines, renderOfferLines } from './mail-lines.ts';
import type { ShownTerms } from '../status/shown-terms.ts';
import { describeEarlyHoldEnd, describeNextStep } from '../status/next-step.ts';
import { computeExpiry } from '../status/request-expiry.ts';
import { describeConfirmation, describeTerms } from '../status/describe-terms.ts';

export interface MailText {
  subject: string;
  text: string;
}

/** A label and its value as quoted lines; a long value goes below its label. */
function renderEntry(name: string, text: string): string[] {
  const label = labelBeforeValue(name);
  return quoteLines(
    text.includes('\n') || text.length > 70
      ? `${label}\n  ${text.replaceAll('\n', '\n  ')}`
      : `${label} ${text}`,
  );
}

/** Labels and values as quoted lines; empty values are omitted. */
const renderEntries = (pairs: readonly (readonly [string, string | null])[]): string[] =>
  pairs.flatMap(([name, value]) => (value === null ? [] : renderEntry(name, value)));

const renderSection = (title: string, lines: readonly string[]): string[] =>
  lines.length ? [title, '', ...lines, ''] : [];

/** Describes the effect of accepting an offer, for the provider. */
const describeAcceptance = ({ confirmOnAccept }: Offer) =>
  [
    mailedOffer.whenAccepted,
    confirmOnAccept ? mailedOffer.confirmedAtOnce : mailedOffer.youConfirm,
  ] as const;

const renderAnswerInstructions = (
  { email, phone }: LeadEvent['lead']['contact'],
  isNew: boolean,
): string =>
  collectLines(
    email !== null && providerMail.instructions.write,
    phone !== null &&
      fill(
        isNew && email === null
          ? providerMail.instructions.callOnly
          : providerMail.instructions.call,
        {
          phone: formatPhone(phone),
        },
      ),
    providerMail.instructions.link,
  ).join(' ');

function renderAnswerSection(
  { change, lead, state, links, linksUntil, dueAt }: LeadEvent,
  currentTerms: ShownTerms,
  registry: Registry,
  formatLocalTime: (time: string) => string,
): string[] {
  const { contact, status } = lead;
  const hasOpenQuestion = status === 'needs_info';
  const noReplyNotice = fill(providerMail.notByReply, {
    organization: registry.network.organization.name,
  });
  const confirmationText = describeConfirmation(currentTerms, 'confirming');
  const canceledByDecline = findCancellation({ ...lead, state }, registry);
  const answerLines = listAnswerNames(actionOf(registry, lead)).flatMap((name) =>
    links[name]
      ? collectLines(
          `${answerTextsOf(name, { canceledByDecline, closesQuestion: currentTerms.closesQuestion, endsWaitForReply: hasOpenQuestion }).title}:`,
          name === 'confirm' && !canceledByDecline && confirmationText,
          links[name],
          '',
        )
      : [],
  );
  if (!answerLines.length) return [noReplyNotice, ''];
  const { heldUntil } = currentTerms;
  const expiresFirst =
    lead.status === 'new' &&
    !currentTerms.isAnswered &&
    dueAt !== null &&
    computeExpiry(dueAt, currentTerms.booking) < linksUntil;
  const until = heldUntil && formatPromisedTime(heldUntil, registry.network.timeZone);
  return renderSection(
    providerMail.answer,
    collectLines(
      `${noReplyNotice} ${providerMail.keepLinks}`,
      '',
      renderAnswerInstructions(contact, change === undefined),
      '',
      hasOpenQuestion && answer.openQuestion,
      hasOpenQuestion && (until ? fill(answer.questionHold, { until }) : answer.questionOpen),
      hasOpenQuestion && '',
      answerLines,
      `${
        expiresFirst
          ? providerMail.eachLinkBeforeExpiry
          : fill(providerMail.eachLink, { until: formatLocalTime(linksUntil) })
      } ${canceledByDecline ? providerMail.cancelEnds : providerMail.declineEnds}`,
    ),
  );
}

const renderEmergencyLine = ({ phone }: LeadEvent['lead']['contact']): string =>
  phone === null
    ? providerMail.cannotWait.answer
    : fill(providerMail.cannotWait.call, { phone: formatPhone(phone) });

function describeNewRequest(
  { firstAnswerDue, isEmergency }: LeadEvent,
  { heldUntil, booking }: ShownTerms,
  formatDeadline: (time: string) => string,
): string {
  const deadline = formatDeadline(firstAnswerDue);
  if (isEmergency) return fill(providerMail.newEmergency, { deadline });
  if (heldUntil !== undefined && heldUntil < firstAnswerDue)
    return fill(providerMail.newShortHold, { deadline, holdEnd: formatDeadline(heldUntil) });
  return heldUntil !== undefined && heldUntil > firstAnswerDue
    ? fill(providerMail.newHeldRequest, { deadline, holdEnd: formatDeadline(heldUntil) })
    : fill(providerMail.newRequest, {
        deadline,
        expiry: formatDeadline(computeExpiry(firstAnswerDue, booking)),
      });
}

/**
 * The deadline for the provider’s next answer; if no answer is due, whatever else is due, if
 * anything.
 */
function describeDue(
  { dueAt, lead, isEmergency, declinedOffer }: LeadEvent,
  { lapsed, ...terms }: ShownTerms,
  registry: Registry,
  formatDeadline: (time: string) => string,
): string[] {
  const isLapseKnown = lapsed && lapsed.offer.offerId === declinedOffer?.offerId;
  const shownTerms = isLapseKnown ? terms : { ...terms, lapsed };
  const nextDue = dueAt ?? lead.respondBy;
  const nextStep = describeNextStep(lead, shownTerms, nextDue, { registry });
  const due =
    dueAt === null
      ? ''
      : isEmergency
        ? providerMail.answerNow
        : fill(providerMail.answerBy, { deadline: formatDeadline(dueAt) });
  const earlyHoldEndNotice = describeEarlyHoldEnd(lead, terms, nextDue, registry);
  return [earlyHoldEndNotice ?? '', due, nextStep].filter(Boolean);
}

/** What has happened since an event; undefined if nothing has. */
function describeLaterChange({ change, lead, state, laterEntries }: LeadEvent): string | undefined {
  const latest = laterEntries.at(-1);
  if (!latest) return undefined;
  return lead.status === (change?.to ?? 'new')
    ? providerMail.writtenSince[latest.actor]
    : fill(providerMail.since, { state: providerStates[state] });
}

const renderEventLines = (
  event: LeadEvent,
  registry: Registry,
  terms: ShownTerms,
  formatLocalTime: (time: string) => string,
  addressMailCount: number,
): string[] => {
  const { change, lead } = event;
  const formatDeadline = (time: string) => formatPromisedTime(time, registry.network.timeZone);
  const laterChange = describeLaterChange(event);
  const due = !isEnded(lead.status) && describeDue(event, terms, registry, formatDeadline);
  if (!change && isEnded(lead.status))
    return [fill(providerMail.newEnded, { state: providerStates[event.state] }), ''];
  if (!change)
    return actionOf(registry, lead)?.purpose === 'subscription'
      ? [providerMail.newSubscription, '']
      : collectLines(
          laterChange
            ? providerMail.newRequestWithUpdates
            : describeNewRequest(event, terms, formatDeadline),
          laterChange,
          laterChange !== undefined && due,
          '',
        );
  const { open } = terms;
  return collectLines(
    describeEvent(event, change, registry, terms, addressMailCount),
    laterChange,
    due,
    '',
    change.note ? [...quoteLines(change.note), ''] : undefined,
    event.answeredText !== undefined &&
      !isAgreed(change.to) &&
      !isEnded(change.to) && [providerMail.answered, ...quoteLines(event.answeredText), ''],
    change.by === 'person' &&
      isAgreed(change.to) &&
      event.openQuestions.length > 0 && [
        providerMail.openQuestion,
        ...quoteEach(event.openQuestions),
      ],
    open && open.offerId !== change.offer?.offerId && providerMail.stillOpen,
    open && [
      ...renderOfferLines(open, 'provider', formatLocalTime, describeAcceptance(open), terms),
      '',
    ],
    terms.agreed && change.from !== change.to && renderIncludedLines(terms.agreed),
  );
};

/**
 * The email that notifies a provider of an event. It contains the whole request, so that nobody has
 * to look for the first email. The subject line contains no personal data. The event, its lead and
 * `terms` are as of the time of sending. `addressMailCount` is the number of answers emailed to the
 * customer in the last 24 hours.
 */
export function renderMail(
  event: LeadEvent,
  site: Site,
  terms: ShownTerms = {},
  addressMailCount = 0,
): MailText {
  const { registry } = site;
  const { change, lead, isEmergency } = event;
  const { contact } = lead;
  const { action, requestTitle: request, service: place } = findServiceOf(registry, lead);
  const reference = formatReference(lead.reference);
  const { facts } = providerMail;
  const formatLocalTime = (time: string) => formatTime(time, registry.network.timeZone);
  const days = findRequestedDays(lead, registry);
  const baseSubject = fill(days ? providerMail.subjectWithDays : providerMail.subject, {
    request,
    service: place,
    reference,
    days: days ? formatShortDays(days) : '',
  });
  const subject = change
    ? fill(providerMail.eventSubject, {
        event: nameEvent(event, change, registry, terms),
        subject: baseSubject,
      })
    : baseSubject;
  return {
    subject: isEmergency ? fill(providerMail.emergency, { subject }) : subject,
    text: collectLines(
      isEmergency && !change && !isEnded(lead.status) && [renderEmergencyLine(contact), ''],
      renderEventLines(event, registry, terms, formatLocalTime, addressMailCount),
      fill(facts.service, { service: place }),
      fill(facts.request, { request: action?.title ?? request }),
      fill(facts.received, { at: formatLocalTime(lead.createdAt) }),
      fill(facts.reference, { reference }),
      '',
      renderSection(
        providerMail.customer,
        renderEntries([
          [providerMail.name, contact.name],
          [providerMail.email, contact.email],
          [providerMail.phone, contact.phone && formatPhone(contact.phone)],
        ]),
      ),
      renderSection(providerMail.request, renderEntries(listEnteredValues(site, lead, terms))),
      renderSection(providerMail.terms, renderEntries(describeTerms(terms, site))),
      renderSection(providerMail.freeData, renderEntries(listFreeValues(lead.data))),
      renderSection(
        providerMail.before,
        isEnded(lead.status)
          ? []
          : collectLines(describeSuspicions(lead.suspicions), event.otherOpenRequest),
      ),
      renderAnswerSection(event, terms, registry, formatLocalTime),
    ).join('\n'),
  };
}
