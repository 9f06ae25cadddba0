import type { Part } from '@a2a-js/sdk';
import {
  UNCERTAIN_ANSWER_TEXT,
  NOTHING_PUBLISHED_TEXT,
  searchKnowledge,
} from '../search/knowledge.ts';
import { selectNotice } from '../search/not-offered.ts';
import type { ServiceToAsk } from '../search/services-to-ask.ts';
import { createActionExample } from '../leads/submit/lead-channels.ts';
import { findAction, findSubsite } from '../site/registry.ts';
import { isObject } from '../site/json-object.ts';
import type { Site } from '../site/site.ts';
import { createDirectoryHint, type DirectoryHint } from '../http/directory-hint.ts';
import { createDataPart, createTextPart } from './parts.ts';

/** Introduces passages shown even though the network does not offer the service. */
const NEAREST_PASSAGES_TEXT = 'The best-matching published passages:';

/** Whether text is a JSON object, such as a request that was meant for a data part. */
function isJsonObject(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

export const NOTHING_SUBMITTED_TEXT =
  'Nothing was submitted, because a text part is treated as a question. To submit a request, send its JSON in a data part, {"data": {…}}, with subsite, action, fields and contact.';

/** A service that takes requests, as an answer's data part lists it. */
interface NextStep extends ServiceToAsk {
  /** A data part for the first action, ready to send: a sandbox request with a contact. */
  example: Record<string, unknown>;
}

/** Selects the services that take requests, and adds an example for the best match. */
const findNextSteps = ({ registry }: Site, services: readonly ServiceToAsk[]): NextStep[] =>
  services.flatMap((service) => {
    const subsite = findSubsite(registry, service.subsite)!;
    const action = findAction(subsite, service.actions[0] ?? '');
    return action ? [{ ...service, example: createActionExample(subsite, action, false) }] : [];
  });

const renderServiceLines = (
  servicesToAsk: readonly ServiceToAsk[],
  nextSteps: readonly NextStep[],
): string[] => [
  ...servicesToAsk.map(({ title, url, phone, emergency, areaNotice, termNotice }) =>
    [`Ask ${title}: ${url} or ${phone}.`, emergency, areaNotice, termNotice]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
  ),
  ...nextSteps.map(
    ({ subsite, title, actions, manifestUrl }) =>
      `To ask ${title} for something, send a data part with subsite ${subsite}, action ${actions.join(' or ')}, the fields of that action in ${manifestUrl}, and a contact with name, email or phone.`,
  ),
];

/** A hint for a person or model that asked too general a question. */
const renderHintLines = ({ about, index, services, samples }: DirectoryHint): string[] => [
  about,
  ...(samples.length ? [`Ask, for example: ${samples.join(' ')}`] : []),
  `All subsites: ${index}`,
  `How agents use them: ${services}`,
];

/**
 * Answers a question from published content, as text and as data: first what the network does not
 * offer, then the services that meet the need and how to contact them, then the best-matching
 * passages with their sources. Passages that answer the question come before the services. The text
 * is quoted, never generated. `published` says whether the passages are a confident answer. If no
 * service fits, the answer points to the whole directory.
 */
function answerFromKnowledge(site: Site, question: string): Part[] {
  const answer = searchKnowledge(site, { question });
  const { answered: isPublished, passages, ask, notOffered } = answer;
  // A new request would not answer a question about an existing one.
  const nextSteps = answer.notOfferedCode === 'answered' ? [] : findNextSteps(site, ask);
  const directoryHint = isPublished || ask.length ? undefined : createDirectoryHint(site);
  const quotedPassages = passages.map(({ text: passageText, url }) => `${passageText} (${url})`);
  // With a published answer, mention a service only to warn that it does not serve the person's
  // area, or that its shortest rental is longer.
  const servicesToMention = isPublished
    ? ask.filter(({ areaNotice, termNotice }) => areaNotice ?? termNotice)
    : ask;
  const contactLines = renderServiceLines(servicesToMention, nextSteps);
  const fallbackLines = quotedPassages.length
    ? [
        ...contactLines,
        notOffered === undefined ? UNCERTAIN_ANSWER_TEXT : NEAREST_PASSAGES_TEXT,
        ...quotedPassages,
      ]
    : [...(notOffered === undefined ? [NOTHING_PUBLISHED_TEXT] : []), ...contactLines];
  const text = [
    ...(notOffered === undefined ? [] : [notOffered]),
    ...(isPublished ? [...quotedPassages, ...contactLines] : fallbackLines),
    ...(directoryHint ? renderHintLines(directoryHint) : []),
  ].join('\n');
  return [
    createTextPart(text),
    createDataPart({
      ...selectNotice(answer),
      published: isPublished,
      passages,
      ask,
      next: nextSteps,
      ...(directoryHint && { directory: directoryHint }),
    }),
  ];
}

/**
 * Answers the text of a message. If the text is a request in JSON or continues a conversation, as in
 * “Yes, please book it”, the answer says that nothing was submitted.
 */
export function answerQuestion(
  site: Site,
  { text, isFollowUp = false }: { text: string; isFollowUp?: boolean },
): Part[] {
  const notice = createTextPart(NOTHING_SUBMITTED_TEXT);
  if (isJsonObject(text)) return [notice];
  return [...answerFromKnowledge(site, text), ...(isFollowUp ? [notice] : [])];
}
