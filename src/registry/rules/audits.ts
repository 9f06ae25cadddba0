import { interpretationOf, scoresOf } from '../../site/tools/audit.ts';
import { auditOf } from '../../site/tools/page-audit.ts';
import { recordOfPage } from '../../site/registry.ts';
import type { Rule } from './rule.ts';

/** Rules for the text of a page with an audit. */
export const auditRules: Rule[] = [
  {
    name: 'audit-text',
    description: 'A page with an audit lists its questions and interprets each score.',
    *check({ pages }) {
      for (const page of pages.filter(({ tool }) => tool === 'audit')) {
        const audit = auditOf(page.body);
        const unread = scoresOf(audit).find((score) => !interpretationOf(audit, score));
        const fault = (problem: string) => ({
          record: recordOfPage(page),
          path: ['tool'],
          problem,
        });
        if (!audit.questions.length)
          yield fault(
            'has no questions. Number the questions (such as “1. Calls are answered by a person.”) in the page text.',
          );
        else if (unread !== undefined)
          yield fault(
            `does not interpret a score of ${unread}. Add a row to a table in the page text, such as “| ${unread} to ${scoresOf(audit).at(-1)!} | All is in order. |”.`,
          );
      }
    },
  },
];
