import { lexer, type Token, type Tokens } from 'marked';
import type { Audit } from './audit.ts';

const SCORES = /^(\d+)(?: to (\d+))?$/;

const isList = (token: Token): token is Tokens.List => token.type === 'list';
const isTable = (token: Token): token is Tokens.Table => token.type === 'table';

/**
 * The audit that the Markdown of a page describes: the questions are its first numbered list, the
 * readings are the rows of its first table whose first cell is a score or a range of scores such as
 * “50 to 70”.
 */
export function auditOf(markdown: string): Audit {
  const tokens = lexer(markdown);
  const list = tokens.filter(isList).find(({ ordered }) => ordered);
  const tables = tokens.filter(isTable).map(({ rows }) =>
    rows.flatMap(([scores, text]) => {
      const [found, from, to = from] = SCORES.exec(scores?.text ?? '') ?? [];
      return found === undefined || !text
        ? []
        : [{ from: Number(from), to: Number(to), text: text.text }];
    }),
  );
  return {
    questions: list?.items.map(({ text }) => text.replaceAll(/\s+/g, ' ')) ?? [],
    interpretations: tables.find((readings) => readings.length) ?? [],
  };
}
