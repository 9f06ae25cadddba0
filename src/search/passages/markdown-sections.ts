import { lexer, Parser, type Token, type Tokens, type MarkedToken } from 'marked';
import type { SearchPhrases } from '../../registry/search-phrases.ts';
import { toSectionAnchor } from '../../site/heading-anchor.ts';
import { lang } from '../../language.ts';

/** A section of Markdown text, short enough to be an answer. */
export interface Section {
  /** Text of the heading above the section; absent before the first heading. */
  heading?: string;
  /** Anchor of that heading on the page. */
  anchor?: string;
  text: string;
}

/**
 * Maximum number of characters in a section; a longer section is split at paragraphs, items, rows
 * or, as a last resort, sentences.
 */
const MAX_SECTION_LENGTH = 480;

const parser = new Parser();

const toPlainText = (tokens: Token[]): string =>
  parser.parseInline(tokens, parser.textRenderer).replaceAll(/\s+/g, ' ').trim();

const withFinalPunctuation = (text: string): string =>
  /[.!?:\u201d"]$/.test(text) ? text : `${text}.`;

/**
 * Matches a word. Matches a word. Unlike “730” or “0 to 40”, a word says what a table row is about.
 */
const WORD_PATTERN = /\p{L}{3}/u;

/**
 * Converts a table row to a sentence, with column names if there are more than two columns or the
 * first cell does not say what the row is about.
 */
function formatRow(header: Tokens.TableCell[], row: Tokens.TableCell[]): string {
  const [name = '', ...values] = row.map(({ tokens }) => toPlainText(tokens));
  const [nameColumn, ...columns] = header.map(({ tokens }) => toPlainText(tokens));
  const withColumn = (value: string, column = '') =>
    value && column ? `${column}: ${value.replace(/\.$/, '')}` : value;
  const isNamed = WORD_PATTERN.test(name);
  const described = values.map((value, index) =>
    isNamed && values.length === 1 ? value : withColumn(value, columns[index]),
  );
  return isNamed
    ? [name, described.filter(Boolean).join('; ')].filter(Boolean).join(': ')
    : [withColumn(name, nameColumn), ...described].filter(Boolean).join('; ');
}

/** Narrows the type of a token. Only extensions would add other types, and none is used. */
const toMarkedToken = (token: Token) => token as MarkedToken;

/** The text of a Markdown block in separate pieces, without code samples. */
function splitToken(inputToken: Token): string[] {
  const token = toMarkedToken(inputToken);
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return [token.tokens ? toPlainText(token.tokens) : token.text];
    case 'list':
      return token.items.map(({ tokens }) =>
        tokens.flatMap(splitToken).map(withFinalPunctuation).join(' '),
      );
    case 'table':
      return token.rows.map((row) => formatRow(token.header, row));
    case 'blockquote':
      return token.tokens.flatMap(splitToken);
    case 'code':
      return token.lang ? [] : token.text.replaceAll(/ +/g, ' ').split('\n');
    default:
      return [];
  }
}

const sentences = new Intl.Segmenter(lang, { granularity: 'sentence' });

const splitLongPiece = (piece: string): string[] =>
  piece.length <= MAX_SECTION_LENGTH
    ? [piece]
    : Array.from(sentences.segment(piece), ({ segment }) => segment.trim());

/**
 * Joins pieces into strings of at most {@link MAX_SECTION_LENGTH} characters, unless one sentence
 * is longer.
 */
export function joinPieces(pieces: readonly string[]): string[] {
  const texts: string[] = [];
  for (const piece of pieces.filter(Boolean).flatMap(splitLongPiece).map(withFinalPunctuation)) {
    const joinedText = `${texts.at(-1) ?? ''} ${piece}`.trim();
    if (texts.length && joinedText.length <= MAX_SECTION_LENGTH)
      texts[texts.length - 1] = joinedText;
    else texts.push(piece);
  }
  return texts;
}

/** The title and the site-relative path of a section of a page. */
export const titleAndPathOf = (
  { heading, anchor }: Section,
  { title, path }: { title: string; path: string },
): { title: string; path: string } => ({
  title: heading === undefined ? title : `${title}: ${heading}`,
  path: anchor === undefined ? path : `${path}#${anchor}`,
});

/**
 * The search phrases for a section, which a record identifies by its heading or by other words in
 * it.
 */
export const selectSectionPhrases = ({ heading, text }: Section, asked: SearchPhrases): string[] =>
  Object.entries(asked).flatMap(([words, phrasings]) =>
    words === heading || text.includes(words) ? phrasings : [],
  );

export function parseSections(markdown: string): Section[] {
  const parts: { title: Pick<Section, 'heading' | 'anchor'>; pieces: string[] }[] = [
    { title: {}, pieces: [] },
  ];
  for (const token of lexer(markdown).map(toMarkedToken))
    if (token.type === 'heading') {
      const { tokens } = token;
      const anchor = toSectionAnchor(parser.parseInline(tokens));
      parts.push({ title: { heading: toPlainText(tokens), anchor }, pieces: [] });
    } else parts.at(-1)!.pieces.push(...splitToken(token));
  return parts.flatMap(({ title, pieces }) =>
    joinPieces(pieces).map((text) => ({ ...title, text })),
  );
}
