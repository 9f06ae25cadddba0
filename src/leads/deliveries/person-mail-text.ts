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
import { agreedOffer } from '../agreement.ts';
import type { Offer } from '../conversation.ts';
import type { LeadLog } from '../lead-log.ts';
import { noticeOf } from '../lead-notice.ts';
import { statusOf } from '../lead-status.ts';
import { receiptUrl } from '../receipt.ts';
import type { LeadEvent } from './lead-event.ts';
import { type MailText, offerLines, quoted } from './mail-text.ts';

/** What people get mail about; each has a text of its own. */
export type PersonNews = 'receipt' | 'question' | 'offer' | 'confirmed' | 'declined';

/** Address of the page by which whoever gets mail about a lead ends it, or erases the lead. */
export const notMeUrl = ({ base }: Site, token: string): string =>
  `${receiptUrl(base, token)}/not-me`;

/** What happened, and what the link to the receipt is for. */
const texts: Readonly<Record<PersonNews, { happened: string; link: string }>> = {
  receipt: {
    happened: 'We have your request.',
    link: 'Follow it, write to the provider or withdraw it:',
  },
  question: {
    happened: 'The provider has a question about your request.',
    link: 'Answer it here:',
  },
  offer: { happened: 'The provider made you an offer.', link: 'Accept or decline it here:' },
  confirmed: { happened: 'Your request is confirmed.', link: 'Your request:' },
  declined: { happened: 'The provider declined your request.', link: 'Your request:' },
};

/** What accepting an offer does, for the person. */
const whenAccepted = ({ confirmOnAccept }: Offer) =>
  [
    'When you accept',
    confirmOnAccept ? 'your request is confirmed at once' : 'the provider confirms it',
  ] as const;

/**
 * The message that tells a person of an event. What is quoted in it was written by the provider: the first message, which
 * anybody can have sent to anybody, holds no text of a caller.
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
  const asked = action?.title ?? 'Contact request';
  const reference = referenceInWords(lead.reference);
  const inZone = (time: string) => timeInWords(time, registry.network.timeZone);
  const { happened, link } = texts[news];
  const status = news === 'receipt' ? 'new' : lead.status;
  const price = news === 'confirmed' ? agreedOffer(statusOf(log, now, site)) : undefined;
  const dates = Object.entries(action?.fields ?? {}).flatMap(([name, field]) => {
    const value = lead.fields[name];
    return kindOf(field).isDay && typeof value === 'string'
      ? [`${field.label ?? inWords(name)}: ${plannedDayInWords(value)}`]
      : [];
  });
  return {
    subject: `${change ? 'Re: ' : ''}${asked}, ${registry.network.name} (${reference})`,
    text: [
      happened,
      '',
      ...(change?.note ? [...quoted(change.note), ''] : []),
      ...(change?.offer
        ? [...offerLines(change.offer, inZone, whenAccepted(change.offer)), '']
        : []),
      `Service: ${subsite?.title ?? lead.subsite}`,
      `Request: ${asked}`,
      ...dates,
      ...(price ? [`Price: ${money(Number(price.amount), price.currency)}`] : []),
      `Received: ${inZone(lead.createdAt)}`,
      ...(news === 'receipt' ? [`Answer promised by: ${inZone(lead.respondBy)}`] : []),
      `Reference: ${reference}`,
      '',
      link,
      receiptUrl(base, person.token),
      '',
      ...(news === 'confirmed'
        ? []
        : [noticeOf(registry, { ...lead, status, reachable: true }), '']),
      'Do not reply to this message: nobody reads the replies.',
      '',
      "This wasn't me, or no more mail about this request:",
      notMeUrl(site, person.token),
      '',
    ].join('\n'),
  };
}
