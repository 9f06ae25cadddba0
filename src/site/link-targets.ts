import { lexer, walkTokens } from 'marked';

/** Targets of the links and images in Markdown, in order; code samples have none. */
export function listLinkTargets(markdown: string): string[] {
  const targets: string[] = [];
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(String(token['href']));
  });
  return targets;
}
