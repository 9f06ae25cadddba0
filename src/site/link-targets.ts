import { lexer, Parser, walkTokens } from 'marked';
import { toHeadingAnchor } from './heading-anchor.ts';

/** Targets of the links and images in Markdown, in order; code samples have none. */
export function listLinkTargets(markdown: string): string[] {
  const targets: string[] = [];
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(String(token['href']));
  });
  return targets;
}

/** Targets of the links and images in the lists of Markdown, in order. */
export const listTargetsInLists = (markdown: string): string[] =>
  lexer(markdown).flatMap((token) => (token.type === 'list' ? listLinkTargets(token.raw) : []));

/** Anchors of the headings in Markdown, without the prefix that they have on pages. */
export const listHeadingAnchors = (markdown: string): string[] =>
  lexer(markdown).flatMap((token) =>
    token.type === 'heading' ? toHeadingAnchor(Parser.parseInline(token.tokens ?? [])) : [],
  );
