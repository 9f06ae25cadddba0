import { lexer, type Token, type Tokens } from 'marked';
import type { Audit } from './audit.ts';

const SCORES_PATTERN = /^(\d+)(?: to (\d+))?$/;

const isList = (token: Token): token is Tokens.List => token.type === 'list';
const isTable = (token: Token): token is Tokens.Table => token.type === 'table';

/**
 * Reads an audit from a page's Markdown. The first numbered list contains the questions. In the
 * first table, each row whose first cell is a score or a range such as “50 to 70” is an
 * interpretation.
 */
export function parseAudit(markdown: string): Audit {
  const tokens = lexer(markdown);
  const list = tokens.filter(isList).find(({ ordered }) => ordered);
  const tables = tokens.filter(isTable).map(({ rows }) =>
    rows.flatMap(([scores, text]) => {
      const [found, from, to = from] = SCORES_PATTERN.exec(scores?.text ?? '') ?? [];
      return found === undefined || !text
        ? []
        : [{ from: Number(from), to: Number(to), text: text.text }];
    }),
  );
  return {
    questions: list?.items.map(({ text }) => text.replaceAll(/\s+/g, ' ')) ?? [],
    interpretations: tables.find((interpretations) => interpretations.length) ?? [],
  };
}
