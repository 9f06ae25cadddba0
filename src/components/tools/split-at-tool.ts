import type { Page } from '../../registry/schemas/network.ts';
import { parseAudit } from '../../site/tools/page-audit.ts';

const collapseWhitespace = (text: string) => text.replaceAll(/\s+/g, ' ');

/**
 * The Markdown of a page before and after its tool, which follows the introduction. Omits a section
 * with audit questions because the tool asks them.
 */
export function splitAtTool({ body, tool }: Page): { opening: string; rest: string } {
  const [opening, ...sections] = body.split(/^(?=## )/m);
  const questions = tool === 'audit' ? parseAudit(body).questions : [];
  const containsQuestions = (section: string) =>
    questions.length > 0 &&
    questions.every((question) => collapseWhitespace(section).includes(question));
  return {
    opening: opening!,
    rest: sections.filter((section) => !containsQuestions(section)).join(''),
  };
}
