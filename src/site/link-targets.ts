import { lexer, Parser, walkTokens } from 'marked';
import { toHeadingAnchor } from './heading-anchor.ts';

/** Lists the targets of links and images in Markdown, in order; code samples are ignored. */
export function listLinkTargets(markdown: string): string[] {
  const targets: string[] = [];
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(String(token['href']));
  });
  return targets;
}

/** Lists the targets of links and images within lists in Markdown, in order. */
export const listTargetsInLists = (markdown: string): string[] =>
  lexer(markdown).flatMap((token) => (token.type === 'list' ? listLinkTargets(token.raw) : []));

/** Lists the anchors of headings in Markdown, without the prefix that they have on pages. */
export const listHeadingAnchors = (markdown: string): string[] =>
  lexer(markdown).flatMap((token) =>
    token.type === 'heading' ? toHeadingAnchor(Parser.parseInline(token.tokens ?? [])) : [],
  );
