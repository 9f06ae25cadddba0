import { answerNames, answers } from '../operations/answer-link.ts';
import { suspicions } from '../operations/suspicion.ts';
import { findAction, findSubsite, type Site } from '../registry/index.ts';
import type { LeadEvent } from './lead-event.ts';

/** A message in plain text. */
export interface MailText {
  subject: string;
  text: string;
}

const time = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** A name and its value; lines of a long text stand below it, set in. */
const entry = (name: string, value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.includes('\n') || text.length > 70 ? `${name}:\n  ${text.replaceAll('\n', '\n  ')}` : `${name}: ${text}`;
};

const present = (pairs: readonly (readonly [string, unknown])[]): string[] => pairs.filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => entry(name, value));

const section = (title: string, lines: readonly string[]): string[] => (lines.length ? [title, '', ...lines, ''] : []);

/** What a field is called: its name in words. */
const inWords = (name: string): string => {
  const words = name.replaceAll(/[_-]/g, ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const news: Readonly<Record<string, string>> = {
  withdrawn: 'The person has withdrawn this request. Nothing more is to be done.',
  withdrawnForThem: 'The operator has withdrawn this request for the person. Nothing more is to be done.',
  expired: 'Nobody answered this request in the time that was promised, so that it has expired.',
  erased: 'The person’s data was erased here. Please erase what you keep of this request too.',
};

/** The message that tells a provider of an event. The subject holds nothing about the person. */
export function mailText({ change, lead, links, linksUntil }: LeadEvent, { registry }: Site): MailText {
  const subsite = findSubsite(registry, lead.subsite);
  const action = subsite && lead.action !== null ? findAction(subsite, lead.action) : undefined;
  const asked = action?.title ?? 'A mail address left';
  const place = subsite?.title ?? lead.subsite;
  const about = [entry('Service', place), entry('Request', asked), entry('Received', time(lead.createdAt)), entry('Reference', lead.reference)];
  if (change) {
    const what = news[change.to === 'withdrawn' && change.by !== 'person' ? 'withdrawnForThem' : change.to] ?? `This request is now ${change.to.replaceAll('_', ' ')}.`;
    return { subject: `${change.to.replaceAll('_', ' ')}: ${asked}, ${place} (${lead.reference})`, text: [what, '', ...about, ''].join('\n') };
  }
  const { contact } = lead;
  const doubts = lead.suspicions.map((code) => (suspicions as Readonly<Record<string, string>>)[code] ?? code);
  const ways = answerNames.flatMap((name) => (links[name] ? [`${answers[name].title}:`, links[name], ''] : []));
  return {
    subject: `${asked}, ${place} (${lead.reference})`,
    text: [
      `A request for ${place}. Please answer by ${time(lead.respondBy)}; after that it expires.`,
      '',
      ...about,
      '',
      ...section('FROM', present([['Name', contact.name], ['Mail', contact.email], ['Telephone', contact.phone]])),
      ...section('WHAT WAS WRITTEN', present([...Object.entries(lead.fields), ...Object.entries(lead.data ?? {})].map(([name, value]) => [inWords(name), value] as const))),
      ...section('BEFORE YOU ANSWER', [...doubts, ...(lead.repeated ? ['The same person asked for the same within a day before.'] : [])]),
      ...(ways.length ? ['ANSWER', '', ...(contact.email ? ['A reply to this message goes to the person. These links tell them on their page:'] : ['These links tell the person on their page:']), '', ...ways, `Each link opens a page and works once, until ${time(linksUntil)}.`, ''] : []),
    ].join('\n'),
  };
}
