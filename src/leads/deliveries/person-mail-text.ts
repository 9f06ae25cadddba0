import { kindOf, valueInWords } from '../../fields/fields.ts';
import { actionOf, alternativesTo, findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import {
  offeredPrice,
  plannedDayInWords,
  promisedTimeInWords,
  referenceInWords,
  timeInWords,
} from '../../site/words/words.ts';
import { requestNoun } from '../../site/words/record-words.ts';
import { labelOf } from '../../site/words/field-words.ts';
import { fill } from '../../text/fill.ts';
import { holderForm, mailedOffer, personMail, timeline } from '../../text/index.ts';
import { phoneOf } from '../../site/phone.ts';
import { requestedItem } from '../../site/forms/requested-item.ts';
import { afterHolder, offeredHold, type Offer } from '../conversation/conversation.ts';
import { type LeadLog, conversationOf } from '../lead-log.ts';
import { requestAt } from '../holds/log-with-hold.ts';
import { isEnded } from '../lead-states.ts';
import { agreedDays, confirmationWords, canceledDays } from '../status/agreement.ts';
import { noticeOf, openWarnings, stateNotice } from '../status/lead-notice.ts';
import { receiptUrl } from '../status/receipt.ts';
import { endedOfferInWords, shownTerms } from '../status/shown-terms.ts';
import { timelineOf } from '../status/timeline.ts';
import { visitInWords, visitOf } from '../status/visit.ts';
import type { LeadEvent } from './lead-event.ts';
import { mailLimit } from './mail-limit.ts';
import { includedLines, type MailText, offerLines, quoted } from './mail-text.ts';
import type { PersonMailTopic } from './person-mail-topic.ts';

/** URL of the page where a recipient of email about a lead can unsubscribe or erase the lead. */
export const notMeUrl = ({ base }: Site, token: string): string =>
  `${receiptUrl(base, token)}/not-me`;

/** Describes the effect of accepting an offer, for the person. */
const whenAccepted = ({ confirmOnAccept }: Offer) =>
  [
    mailedOffer.whenYouAccept,
    confirmOnAccept ? mailedOffer.yoursConfirmed : mailedOffer.providerConfirms,
  ] as const;

/**
 * The email that notifies a person of an event. It describes the request at the time of the event,
 * and adds one sentence about later changes. It quotes only the provider, never the caller, because
 * anyone can enter anyone's email address.
 */
export function personMailText(
  topic: PersonMailTopic,
  { change, lead: newestLead, person, promised, revision, at }: LeadEvent,
  log: LeadLog,
  { site, previewUrl }: { site: Site; previewUrl?: string | undefined },
): MailText {
  const { registry, base } = site;
  const logAtEvent = requestAt(log, revision, registry);
  const lead = { ...newestLead, fields: logAtEvent.fields };
  const subsite = findSubsite(registry, lead.subsite);
  const action = actionOf(registry, lead);
  const request = requestNoun(action, lead.action);
  const reference = referenceInWords(lead.reference);
  const localTime = (time: string) => timeInWords(time, registry.network.timeZone);
  const promisedTime = (time: string) => promisedTimeInWords(time, registry.network.timeZone);
  const { happened, link } = personMail.news[topic];
  const { facts } = personMail;
  const isConfirmed = topic === 'confirmed';
  const { status } = logAtEvent;
  const steps = timelineOf(log.entries);
  const isReplaced =
    change?.offer !== undefined && log.entries.slice(revision).some((entry) => entry.offer);
  const hasChanged = isReplaced || steps.length > timelineOf(logAtEvent.entries).length;
  const terms = shownTerms(logAtEvent, new Date(at), site);
  const { agreed, agreedBefore, open, total, notes, publishedTerms, deposit, heldUntil } = terms;
  const provider = subsite?.title ?? lead.subsite;
  const words = confirmationWords(logAtEvent, agreed?.offerId);
  const hasDays =
    (agreedDays(logAtEvent, registry) ?? canceledDays(logAtEvent, registry)) !== undefined;
  const takesReplies = afterHolder('reply', conversationOf(log), new Date(at)) !== undefined;
  const limit = mailLimit(log, person.mails + 1, new Date(at));
  const endedOffer = isConfirmed ? endedOfferInWords(terms, provider) : undefined;
  const alternatives = alternativesTo(registry, subsite).map(({ title, url }) =>
    fill(personMail.elsewhere, { service: title, url: `${base}${url}` }),
  );
  const calendarUrl = `${receiptUrl(base, person.token)}/calendar`;
  const item = requestedItem(registry, lead.subsite, action, lead.fields);
  // Only choices, numbers and dates, because callers can put any text into other fields.
  const requestLines = Object.entries(action?.fields ?? {}).flatMap(([name, field]) => {
    const sent = lead.fields[name];
    const { isNeverPersonal, isDay } = kindOf(field);
    if (!isNeverPersonal || sent === undefined || sent === field.known || name === item?.field)
      return [];
    const value = isDay ? plannedDayInWords(String(sent)) : valueInWords(sent, field);
    return [fill(facts.field, { label: labelOf(name, field), value })];
  });
  const noticeInput = {
    ...lead,
    status,
    reachable: true,
    promise: { createdAt: lead.createdAt, respondBy: promised },
  };
  const isReceipt = topic === 'receipt';
  const shownOffer = change?.offer ?? open;
  const offer = shownOffer?.confirmOnAccept ? ('confirms' as const) : undefined;
  const offersOther = shownOffer !== undefined && offeredHold(shownOffer) !== undefined;
  const subject = fill(personMail.subject, {
    request,
    network: registry.network.name,
    reference,
  });
  return {
    subject: change ? fill(personMail.again, { subject }) : subject,
    text: [
      ...(isReceipt ? openWarnings(registry, noticeInput).flatMap((one) => [one, '']) : []),
      fill(happened, { request }),
      ...(endedOffer === undefined ? [] : [endedOffer]),
      ...(hasChanged ? [fill(personMail.since, { step: timeline[steps.at(-1)!.step] })] : []),
      '',
      ...(change?.note ? [...quoted(change.note), ''] : []),
      ...(shownOffer && !change?.offer ? [personMail.stillOpen] : []),
      ...(shownOffer ? [...offerLines(shownOffer, localTime, whenAccepted(shownOffer)), ''] : []),
      ...(offersOther ? [holderForm.offeredHoldKept, ''] : []),
      ...(isConfirmed && agreed ? includedLines(agreed) : []),
      fill(facts.service, { service: provider }),
      ...(item
        ? [
            fill(facts.item, {
              item: [item.title, !agreed && !isEnded(status) && item.price]
                .filter(Boolean)
                .join(', '),
            }),
          ]
        : []),
      ...requestLines,
      ...(agreed ? [fill(facts.price, { price: offeredPrice(agreed) })] : []),
      ...(agreedBefore ? [fill(facts.agreedBefore, { price: agreedBefore.price })] : []),
      ...(total ? [fill(facts.price, { price: total.price })] : []),
      ...(notes ? [fill(facts.notes, { notes })] : []),
      ...(publishedTerms && (agreed || open)
        ? [fill(facts.publishedTerms, { terms: publishedTerms })]
        : []),
      ...(deposit ? [fill(facts.deposit, { deposit })] : []),
      ...(heldUntil
        ? [
            fill(offersOther ? facts.heldBesideOffer : facts.held, {
              until: promisedTime(heldUntil),
            }),
          ]
        : []),
      fill(facts.received, { at: localTime(lead.createdAt) }),
      ...(isReceipt ? [fill(facts.promised, { by: promisedTime(promised) })] : []),
      fill(facts.reference, { reference }),
      fill(facts.phone, { phone: phoneOf(subsite, registry) }),
      ...(isConfirmed
        ? [
            ...visitInWords(
              visitOf(subsite, action, { ...logAtEvent, fields: lead.fields }, words),
            ).map((pair) => pair.join(': ')),
            ...(action?.bring ? [personMail.bring, ...action.bring.map((one) => `- ${one}`)] : []),
          ]
        : []),
      ...(previewUrl === undefined
        ? []
        : [fill(facts.storefront, { url: previewUrl }), facts.storefrontChange]),
      ...(hasDays && (isEnded(status) || isConfirmed)
        ? [fill(isConfirmed ? facts.calendar : facts.uncalendar, { url: calendarUrl })]
        : []),
      '',
      hasChanged ? personMail.asItIs : link,
      receiptUrl(base, person.token),
      '',
      ...(topic === 'declined' || topic === 'canceled'
        ? [...(alternatives.length ? alternatives : [personMail.nobodyElse]), '']
        : []),
      ...(isConfirmed
        ? []
        : [
            isReceipt
              ? stateNotice(registry, { status, offer })
              : noticeOf(registry, { ...noticeInput, offer, wasConfirmed: topic === 'canceled' }),
            '',
          ]),
      ...(limit ? [personMail.last[limit], ''] : []),
      takesReplies ? personMail.noReplies : personMail.noReader,
      '',
      personMail.notMe,
      notMeUrl(site, person.token),
      '',
    ].join('\n'),
  };
}
