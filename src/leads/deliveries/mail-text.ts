import { answerNames, answers } from '../answer-link.ts';
import { suspicions } from '../suspicion.ts';
import { actionOf, findSubsite } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import { valueInWords } from '../../fields/fields.ts';
import { labelOf } from '../../site/field-words.ts';
import { inWords, money, referenceInWords, timeInWords } from '../../site/words.ts';
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

const news: Readonly<Record<string, string>> = {
  withdrawn: 'The customer withdrew this request. There is nothing more to do.',
  withdrawnForThem:
    'The operator withdrew this request for the customer. There is nothing more to do.',
  expired: 'This request expired because nobody answered it in time.',
  erased: 'The customer’s data was erased here. Please erase what you keep of this request too.',
};

/** What the customer did, where it was the customer. */
function newsOfPerson({ from, to }: LeadChanged): string {
  if (from === to) return 'The customer replied.';
  if (to === 'accepted') return 'The customer accepted your offer. Confirm the request to agree.';
  if (to === 'confirmed')
    return 'The customer accepted your offer. As your offer says, this confirms the request.';
  return from === 'quoted' && to === 'acknowledged'
    ? 'The customer declined your offer.'
    : 'The customer replied.';
}

/** What happened, in one sentence. */
function newsOf(change: LeadChanged): string {
  const { from, to, by } = change;
  const told = news[to === 'withdrawn' && by !== 'person' ? 'withdrawnForThem' : to];
  if (told) return told;
  if (by === 'person') return newsOfPerson(change);
  const state = to.replaceAll('_', ' ');
  if (from === to)
    return by === 'provider'
      ? 'Your message was sent.'
      : 'The operator sent the customer a message for you.';
  return by === 'provider'
    ? `Your answer was sent. The request is now ${state}.`
    : `The request is now ${state}.`;
}

/** An offer in lines; `accepted` says what accepting it does, to whoever reads it. */
export const offerLines = (
  { amount, currency, description, expiresAt }: Offer,
  inZone: (time: string) => string,
  accepted: readonly [name: string, what: string],
): string[] =>
  entries([
    ['Price', money(Number(amount), currency)],
    ['Includes', description],
    ['Open until', inZone(expiresAt)],
    accepted,
  ]);

/** What accepting an offer does, for the provider. */
const whenAccepted = ({ confirmOnAccept }: Offer) =>
  ['When accepted', confirmOnAccept ? 'confirmed at once' : 'you confirm it'] as const;

/** The links with which the provider answers, and how they work. */
function answerSection(
  { lead: { contact }, links, linksUntil }: LeadEvent,
  inZone: (time: string) => string,
): string[] {
  const ways = answerNames.flatMap((name) =>
    links[name] ? [`${answers[name].title}:`, links[name], ''] : [],
  );
  if (!ways.length) return [];
  return section('ANSWER', [
    ...(contact.email
      ? ['Reply to this message to write to the customer. Or open a link:']
      : ['Open a link to answer:']),
    '',
    ...ways,
    `Each link gives one answer, which the customer sees. It works until the request changes, at the latest until ${inZone(linksUntil)}. After each answer you get a new message with new links.`,
  ]);
}

/** The message that tells a provider of an event. The subject holds nothing about the person, and is that of the thread. */
export function mailText(event: LeadEvent, { registry }: Site): MailText {
  const { change, lead } = event;
  const subsite = findSubsite(registry, lead.subsite);
  const action = actionOf(registry, lead);
  const asked = action?.title ?? 'Contact request';
  const place = subsite?.title ?? lead.subsite;
  const inZone = (time: string) => timeInWords(time, registry.network.timeZone);
  const about = [
    `Service: ${place}`,
    `Request: ${asked}`,
    `Received: ${inZone(lead.createdAt)}`,
    `Reference: ${referenceInWords(lead.reference)}`,
    '',
  ];
  const subject = `${asked}, ${place} (${referenceInWords(lead.reference)})`;
  if (change)
    return {
      subject: `Re: ${subject}`,
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
  const doubts = lead.suspicions.map(
    (code) => (suspicions as Readonly<Record<string, string>>)[code] ?? code,
  );
  return {
    subject,
    text: [
      `You have a new request. Please answer by ${inZone(lead.respondBy)}; after that it expires.`,
      '',
      ...about,
      ...section(
        'CUSTOMER',
        entries([
          ['Name', contact.name],
          ['Email', contact.email],
          ['Phone', contact.phone],
        ]),
      ),
      ...section(
        'REQUEST',
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
      ...section('BEFORE YOU ANSWER', [
        ...doubts,
        ...(lead.repeated ? ['The same customer sent the same request within the past day.'] : []),
      ]),
      ...answerSection(event, inZone),
    ].join('\n'),
  };
}
