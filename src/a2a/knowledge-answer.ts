import type { Part } from '@a2a-js/sdk';
import {
  UNCERTAIN_ANSWER,
  NOTHING_PUBLISHED,
  searchKnowledge,
  subsitesFor,
} from '../search/knowledge.ts';
import { actionExample } from '../leads/submit/lead-channels.ts';
import type { Site } from '../site/site.ts';
import { directoryHint, type DirectoryHint } from '../http/directory-hint.ts';
import { dataPart, textPart } from './parts.ts';

/** Maximum number of subsites that an answer suggests. */
const MAX_NEXT = 3;

/** A subsite that takes requests, as listed in the data part of an answer. */
interface NextStep {
  subsite: string;
  title: string;
  /** Verbs of its actions. */
  actions: string[];
  /** URL of its manifest, which lists the fields of each action. */
  manifestUrl: string;
  /** A data part for its first action, ready to send: a sandbox request with a contact. */
  example: Record<string, unknown>;
}

/**
 * Subsites that take requests: those with an answer, otherwise those that the question clearly
 * names.
 */
function nextSteps(site: Site, question: string, cited: readonly string[]): NextStep[] {
  const { registry, base } = site;
  const names = cited.length ? cited : subsitesFor(site, question).map(({ name }) => name);
  return [...new Set(names)]
    .flatMap((name) =>
      registry.subsites.filter((subsite) => subsite.name === name && subsite.actions.length > 0),
    )
    .slice(0, MAX_NEXT)
    .map((subsite) => ({
      subsite: subsite.name,
      title: subsite.title,
      actions: subsite.actions.map(({ verb }) => verb),
      manifestUrl: `${base}/api/agent/${subsite.name}`,
      example: actionExample(subsite, subsite.actions[0]!, false),
    }));
}

/** A hint for a person or model whose question was not specific. */
const hintLines = ({ about, index, services, samples }: DirectoryHint): string[] => [
  about,
  ...(samples.length ? [`Ask, for example: ${samples.join(' ')}`] : []),
  `All subsites: ${index}`,
  `How agents use them: ${services}`,
];

/**
 * The published passages nearest to a question: as text with the source after each, and as data.
 * The text is quoted, never generated. `published` says whether they reliably answer it. If not,
 * the text says so and whom to ask: the subsites that the question clearly names, otherwise the
 * whole directory.
 */
export function knowledgeAnswer(site: Site, question: string): Part[] {
  const { answered: published, passages, ask } = searchKnowledge(site, { question });
  const next = nextSteps(
    site,
    question,
    published ? passages.flatMap(({ subsite }) => subsite ?? []) : [],
  );
  const directory = published || ask.length || next.length ? undefined : directoryHint(site);
  const text = [
    ...(published ? [] : [passages.length ? UNCERTAIN_ANSWER : NOTHING_PUBLISHED]),
    ...passages.map(({ text: words, url }) => `${words} (${url})`),
    ...ask.map(({ title, url }) => `Ask ${title}: ${url}`),
    ...next.map(
      ({ subsite, title, actions, manifestUrl }) =>
        `To ask ${title} for something, send a data part with subsite ${subsite}, action ${actions.join(' or ')}, the fields of that action in ${manifestUrl}, and a contact with name, email or phone.`,
    ),
    ...(directory ? hintLines(directory) : []),
  ].join('\n');
  return [
    textPart(text),
    dataPart({ published, passages, ask, next, ...(directory && { directory }) }),
  ];
}
