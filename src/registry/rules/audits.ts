import { interpretationOf, scoresOf } from '../../site/tools/audit.ts';
import { parseAudit } from '../../site/tools/page-audit.ts';
import { recordOfPage } from '../../site/registry.ts';
import type { Rule } from './rule.ts';

export const auditRules: Rule[] = [
  {
    name: 'audit-text',
    description: 'A page with an audit lists its questions and interprets each score.',
    *check({ pages }) {
      for (const page of pages.filter(({ tool }) => tool === 'audit')) {
        const audit = parseAudit(page.body);
        const uninterpretedScore = scoresOf(audit).find((score) => !interpretationOf(audit, score));
        const fault = (problem: string) => ({
          record: recordOfPage(page),
          path: ['tool'],
          problem,
        });
        if (!audit.questions.length)
          yield fault(
            'has no questions. Number the questions (such as “1. Calls are answered by a person.”) in the page text.',
          );
        else if (uninterpretedScore !== undefined)
          yield fault(
            `does not interpret a score of ${uninterpretedScore}. Add a row to a table in the page text, such as “| ${uninterpretedScore} to ${scoresOf(audit).at(-1)!} | All is in order. |”.`,
          );
      }
    },
  },
];
