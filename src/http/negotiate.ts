import Negotiator from 'negotiator';
import { type Coding, codings } from '../build/arena.ts';

const MAX_CACHED_CHOICES = 500;

function memoizeByHeader<Choice>(choose: (header: string) => Choice): (header: string) => Choice {
  const choices = new Map<string, Choice>();
  return (header) => {
    const cachedChoice = choices.get(header);
    if (cachedChoice !== undefined) return cachedChoice;
    if (choices.size >= MAX_CACHED_CHOICES) choices.clear();
    const choice = choose(header);
    choices.set(header, choice);
    return choice;
  };
}

// Negotiator's type declarations omit the second argument, the server's preferences in case of a
// tie.
type EncodingsMethod = (
  available: readonly string[],
  options: { preferred: readonly string[] },
) => Coding[];

const parseAcceptedCodings = memoizeByHeader((header) => {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  return (negotiator.encodings as EncodingsMethod).call(negotiator, codings, {
    preferred: codings,
  });
});

/**
 * Selects the content coding of a response according to Accept-Encoding (RFC 9110 section 12.5.3).
 * Falls back to identity, even if the client excludes it.
 */
export function chooseCoding(
  header: string | undefined,
  isAvailable: (coding: Coding) => boolean,
): Coding {
  if (!header) return 'identity';
  return parseAcceptedCodings(header).find(isAvailable) ?? 'identity';
}

/** A weight (RFC 9110 section 12.4.2). */
const WEIGHT_PATTERN = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** How a media range matches a type: 0 exact, 1 by type, 2 by wildcard, -1 no match. */
const rankMatch = (range: string, type: string): number =>
  [type, `${type.split('/')[0]}/*`, '*/*'].indexOf(range);

/** Weight that Accept gives a media type, from the most specific range; 0 without a match. */
function qualityOf(header: string, type: string, requiresExactMatch = false): number {
  let bestMatch = { rank: requiresExactMatch ? 1 : 3, q: 0 };
  for (const range of header.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const rank = rankMatch(name, type);
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const q = weight === undefined ? 1 : Number(WEIGHT_PATTERN.exec(weight)?.[1]);
    if (rank >= 0 && rank < bestMatch.rank && q >= 0) bestMatch = { rank, q };
  }
  return bestMatch.q;
}

/** Whether Accept names HTML; a wildcard does not count. */
export const mentionsHtml = (accept: string | null | undefined): boolean =>
  /\btext\/html\b/i.test(accept ?? '');

/**
 * Whether Accept names text/markdown with at least the weight of HTML. A wildcard does not count.
 */
export const acceptsMarkdown: (accept: string) => boolean = memoizeByHeader((accept) => {
  const markdownQuality = qualityOf(accept, 'text/markdown', true);
  return markdownQuality > 0 && markdownQuality >= qualityOf(accept, 'text/html');
});

/**
 * Whether to send a page as Markdown: if Accept names Markdown or excludes HTML, as in a request
 * from a program that asks for JSON or plain text. The default is HTML.
 */
export const prefersMarkdown = (accept: string): boolean =>
  acceptsMarkdown(accept) || (accept.trim() !== '' && excludesHtml(accept));

/** Whether Accept excludes HTML and has no range for Markdown. */
const excludesHtml: (accept: string) => boolean = memoizeByHeader(
  (accept) => qualityOf(accept, 'text/html') === 0 && !/\btext\/markdown\b/i.test(accept),
);
