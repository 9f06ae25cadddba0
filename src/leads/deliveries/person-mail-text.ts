import { kindOf } from '../../fields/fields.ts';
import { actionOf, findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import {
  inWords,
  money,
  plannedDayInWords,
  referenceInWords,
  timeInWords,
} from '../../site/words.ts';
import { fill } from '../../text/fill.ts';
import { mailedOffer, personMail } from '../../text/index.ts';
import { phoneOf } from '../../site/phone.ts';
import { requestTotal } from '../../site/rental.ts';
import { requestedItem } from '../../site/requested-item.ts';
import { agreedOffer } from '../agreement.ts';
import { isEnded } from '../lead-states.ts';
import type { Offer } from '../conversation.ts';
import { type LeadLog, liveHold } from '../lead-log.ts';
import { noticeOf } from '../lead-notice.ts';
import { statusOf } from '../lead-status.ts';
import { receiptUrl } from '../receipt.ts';
import type { LeadEvent } from './lead-event.ts';
import { type MailText, offerLines, quoted } from './mail-text.ts';
import type { PersonNews } from './person-news.ts';

/** Address of the page by which whoever gets mail about a lead ends it, or erases the lead. */
export const notMeUrl = ({ base }: Site, token: string): string =>
  `${receiptUrl(base, token)}/not-me`;

/** What accepting an offer does, for the person. */
const whenAccepted = ({ confirmOnAccept }: Offer) =>
  [
    mailedOffer.whenYouAccept,
    confirmOnAccept ? mailedOffer.yoursConfirmed : mailedOffer.providerConfirms,
  ] as const;

/**
 * The message that notifies a person of an event. What is quoted in it was written by the provider:
 * the first message, which anybody can have sent to anybody, holds no text of a caller.
 */
export function personMailText(
  news: PersonNews,
  { change, lead, person }: LeadEvent,
  log: LeadLog,
  { site, now }: { site: Site; now: Date },
): MailText {
  const { registry, base } = site;
  const subsite = findSubsite(registry, lead.subsite);
  const action = actionOf(registry, lead);
  const asked = action?.title ?? personMail.contactRequest;
  const reference = referenceInWords(lead.reference);
  const inZone = (time: string) => timeInWords(time, registry.network.timeZone);
  const { happened, link } = personMail.news[news];
  const { facts } = personMail;
  const status = news === 'receipt' ? 'new' : lead.status;
  const price = news === 'confirmed' ? agreedOffer(statusOf(log, now, site)) : undefined;
  const dates = Object.entries(action?.fields ?? {}).flatMap(([name, field]) => {
    const value = lead.fields[name];
    return kindOf(field).isDay && typeof value === 'string'
      ? [fill(facts.day, { label: field.label ?? inWords(name), day: plannedDayInWords(value) })]
      : [];
  });
  const item = requestedItem(registry, lead.subsite, action, lead.fields);
  const fields = Object.entries(lead.fields).map(([name, value]) => ({ name, value }));
  const total = isEnded(status) ? undefined : requestTotal(registry, action, fields);
  const heldUntil = liveHold(log, now)?.expiresAt;
  const offer = change?.offer?.confirmOnAccept ? ('confirms' as const) : undefined;
  const subject = fill(personMail.subject, {
    request: asked,
    network: registry.network.name,
    reference,
  });
  return {
    subject: change ? fill(personMail.again, { subject }) : subject,
    text: [
      happened,
      '',
      ...(change?.note ? [...quoted(change.note), ''] : []),
      ...(change?.offer
        ? [...offerLines(change.offer, inZone, whenAccepted(change.offer)), '']
        : []),
      fill(facts.service, { service: subsite?.title ?? lead.subsite }),
      fill(facts.request, { request: asked }),
      ...(item
        ? [fill(facts.item, { item: [item.title, item.price].filter(Boolean).join(', ') })]
        : []),
      ...dates,
      ...(price ? [fill(facts.price, { price: money(Number(price.amount), price.currency) })] : []),
      ...(total && !price ? [fill(facts.price, { price: total.price })] : []),
      ...(total?.deposit ? [fill(facts.deposit, { deposit: total.deposit })] : []),
      ...(heldUntil && !isEnded(status) ? [fill(facts.held, { until: inZone(heldUntil) })] : []),
      fill(facts.received, { at: inZone(lead.createdAt) }),
      ...(news === 'receipt' ? [fill(facts.promised, { by: inZone(lead.respondBy) })] : []),
      fill(facts.reference, { reference }),
      fill(facts.phone, { phone: phoneOf(subsite, registry) }),
      '',
      link,
      receiptUrl(base, person.token),
      '',
      ...(news === 'confirmed'
        ? []
        : [noticeOf(registry, { ...lead, status, reachable: true, offer }), '']),
      personMail.noReplies,
      '',
      personMail.notMe,
      notMeUrl(site, person.token),
      '',
    ].join('\n'),
  };
}
