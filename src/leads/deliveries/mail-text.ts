import { answerNames } from '../answer-link.ts';
import { suspicionsInWords } from '../suspicion.ts';
import { actionOf, findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import { valueInWords } from '../../fields/fields.ts';
import { labelOf } from '../../site/field-words.ts';
import { inWords, money, referenceInWords, timeInWords } from '../../site/words.ts';
import { fill } from '../../text/fill.ts';
import { answers, mailedOffer, providerMail } from '../../text/index.ts';
import type { Offer } from '../conversation.ts';
import type { LeadChanged, LeadEvent } from './lead-event.ts';

/** A message in plain text. */
export interface MailText {
  subject: string;
  text: string;
}

/** Lines of what somebody else wrote, each behind a bar, so that nothing in them passes for a line of ours. */
export const quoted = (text: string): string[] => text.split('\n').map((line) => `| ${line}`);

/** A name and its value as quoted lines; a long value stands below its name. */
function entry(name: string, value: unknown): string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return quoted(
    text.includes('\n') || text.length > 70
      ? `${name}:\n  ${text.replaceAll('\n', '\n  ')}`
      : `${name}: ${text}`,
  );
}

/** Names and values as quoted lines, without those that have no value. */
const entries = (pairs: readonly (readonly [string, unknown])[]): string[] =>
  pairs
    .filter(([, value]) => value !== null && value !== undefined)
    .flatMap(([name, value]) => entry(name, value));

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length ? [title, '', ...lines, ''] : [];

const { news } = providerMail;

/** What the customer did, where it was the customer. */
function newsOfPerson({ from, to }: LeadChanged): string {
  if (from === to) return news.replied;
  if (to === 'accepted') return news.accepted;
  if (to === 'confirmed') return news.acceptedAndConfirmed;
  return from === 'quoted' && to === 'acknowledged' ? news.offerDeclined : news.replied;
}

/** What happened, in one sentence. */
function newsOf(change: LeadChanged): string {
  const { from, to, by } = change;
  if (to === 'withdrawn') return by === 'person' ? news.withdrawn : news.withdrawnForThem;
  if (to === 'expired' || to === 'erased') return news[to];
  if (by === 'person') return newsOfPerson(change);
  if (from === to) return by === 'provider' ? news.sent : news.sentForYou;
  const state = to.replaceAll('_', ' ');
  return fill(by === 'provider' ? news.answered : news.changed, { state });
}

/** An offer in lines; `accepted` says what accepting it does, to whoever reads it. */
export const offerLines = (
  { amount, currency, description, expiresAt }: Offer,
  inZone: (time: string) => string,
  accepted: readonly [name: string, what: string],
): string[] =>
  entries([
    [mailedOffer.price, money(Number(amount), currency)],
    [mailedOffer.includes, description],
    [mailedOffer.openUntil, inZone(expiresAt)],
    accepted,
  ]);

/** What accepting an offer does, for the provider. */
const whenAccepted = ({ confirmOnAccept }: Offer) =>
  [
    mailedOffer.whenAccepted,
    confirmOnAccept ? mailedOffer.confirmedAtOnce : mailedOffer.youConfirm,
  ] as const;

/** The links with which the provider answers, and how they work. */
function answerSection(
  { lead: { contact }, links, linksUntil }: LeadEvent,
  inZone: (time: string) => string,
): string[] {
  const ways = answerNames.flatMap((name) =>
    links[name] ? [`${answers[name].title}:`, links[name], ''] : [],
  );
  if (!ways.length) return [];
  return section(providerMail.answer, [
    contact.email ? providerMail.replyOrLink : providerMail.link,
    '',
    ...ways,
    fill(providerMail.eachLink, { until: inZone(linksUntil) }),
  ]);
}

/** The message that tells a provider of an event. The subject holds nothing about the person, and is that of the thread. */
export function mailText(event: LeadEvent, { registry }: Site): MailText {
  const { change, lead } = event;
  const subsite = findSubsite(registry, lead.subsite);
  const action = actionOf(registry, lead);
  const asked = action?.title ?? providerMail.contactRequest;
  const place = subsite?.title ?? lead.subsite;
  const reference = referenceInWords(lead.reference);
  const { facts } = providerMail;
  const inZone = (time: string) => timeInWords(time, registry.network.timeZone);
  const about = [
    fill(facts.service, { service: place }),
    fill(facts.request, { request: asked }),
    fill(facts.received, { at: inZone(lead.createdAt) }),
    fill(facts.reference, { reference }),
    '',
  ];
  const subject = fill(providerMail.subject, { request: asked, service: place, reference });
  if (change)
    return {
      subject: fill(providerMail.again, { subject }),
      text: [
        newsOf(change),
        '',
        ...(change.note ? [...quoted(change.note), ''] : []),
        ...(change.offer
          ? [...offerLines(change.offer, inZone, whenAccepted(change.offer)), '']
          : []),
        ...about,
        ...answerSection(event, inZone),
      ].join('\n'),
    };
  const { contact } = lead;
  return {
    subject,
    text: [
      fill(providerMail.fresh, { by: inZone(lead.respondBy) }),
      '',
      ...about,
      ...section(
        providerMail.customer,
        entries([
          [providerMail.name, contact.name],
          [providerMail.email, contact.email],
          [providerMail.phone, contact.phone],
        ]),
      ),
      ...section(
        providerMail.request,
        entries([
          ...Object.entries(lead.fields).map(([name, value]) => {
            const field = action?.fields[name];
            return [
              field ? labelOf(name, field) : inWords(name),
              valueInWords(value, field),
            ] as const;
          }),
          ...Object.entries(lead.data ?? {}).map(
            ([name, value]) => [inWords(name), value] as const,
          ),
        ]),
      ),
      ...section(providerMail.before, [
        ...suspicionsInWords(lead.suspicions),
        ...(lead.repeated ? [providerMail.repeated] : []),
      ]),
      ...answerSection(event, inZone),
    ].join('\n'),
  };
}
