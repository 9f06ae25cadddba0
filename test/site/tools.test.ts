import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import {
  exampleAnswers,
  computeMissedCallCost,
  missedCallInputs,
  formatResult,
} from '../../src/components/tools/missed-calls.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { interpretationOf, scoreOf, scoresOf } from '../../src/site/tools/audit.ts';
import { parseAudit } from '../../src/site/tools/page-audit.ts';
import { addNonBreakingSpaces } from '../../src/site/words/non-breaking-spaces.ts';
import { readBuiltSite } from '../browser/template-pages.ts';

const { pages } = loadRegistry('registry');
const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ');
const pagesWithTool = pages.filter((page) => page.tool !== undefined);
const auditPages = pagesWithTool
  .filter(({ tool }) => tool === 'audit')
  .map(({ path, body }) => ({ path, body, audit: parseAudit(body) }));
const calculator = pagesWithTool.find(({ tool }) => tool === 'missed-call-calculator')!;

describe('the tools', () => {
  it('are three audits of ten questions and a calculator', () => {
    expect(auditPages.map(({ audit }) => audit.questions.length)).toEqual([10, 10, 10]);
    expect(pagesWithTool).toHaveLength(auditPages.length + 1);
  });

  it.each(auditPages)(
    'ask the same questions as the page $path, in the same words and order',
    ({ audit, body }) => {
      const listedQuestions = [
        ...collapseSpaces(body.split('## The questions')[1]!.split('##')[0]!).matchAll(
          /\d+\. (.*?)(?= \d+\. |$)/g,
        ),
      ].map(([, text]) => text!.trim());
      expect(listedQuestions).toEqual(audit.questions);
    },
  );

  it.each(auditPages)(
    'interpret a score on $path in the same way as the page’s table',
    ({ audit, body }) => {
      const rows = [...body.matchAll(/^\| (\d+) to (\d+) \| (.*?) \|$/gm)].map(
        ([, from, to, text]) => ({ from: Number(from), to: Number(to), text }),
      );
      expect(rows).toEqual(audit.interpretations);
      for (const score of scoresOf(audit))
        expect(audit.interpretations).toContain(interpretationOf(audit, score));
      expect(body).toContain(`score = ${scoreOf(1)} × number of yes`);
    },
  );

  it('include a calculator for the numbers on its page', () => {
    const rows = [...calculator.body.matchAll(/^\| (?!Number|---)(.+?) \| (.+?) \|$/gm)].map(
      ([, label, where]) => ({ label, where: where!.toLowerCase() }),
    );
    expect(
      missedCallInputs.map(({ label, hint }) => ({
        label,
        where: hint.toLowerCase().replace(/\.$/, ''),
      })),
    ).toEqual(rows);
  });

  it('include a calculator that computes the example on its page', () => {
    const text = collapseSpaces(calculator.body);
    const [missed, lost, jobs, week, month, year] = computeMissedCallCost(exampleAnswers).map(
      ({ result }) => result.toLocaleString('en-US'),
    );
    expect(text).toContain(
      `With ${exampleAnswers.calls} calls a week, ${exampleAnswers.missed} percent missed, ${exampleAnswers.lost} percent never reached, ${exampleAnswers.booked} percent who would book and ${exampleAnswers.value} USD a job`,
    );
    expect(text).toContain(
      `${missed} missed calls, ${lost} lost callers, ${jobs} lost jobs and ${week} USD a week. That is ${month} USD a month or ${year} USD a year.`,
    );
  });

  it('include a calculator that shows money with both digits of the cents', () => {
    const steps = computeMissedCallCost({ ...exampleAnswers, value: 0.5 });
    expect(steps.slice(3).map(formatResult)).toEqual(['$0.72', '$3.12', '$37.44']);
    expect(computeMissedCallCost({ ...exampleAnswers, value: 12.5 })[3]!.sum).toContain('$12.50');
  });

  it('include a calculator that shows each line of the total on its page', () => {
    const formulas = [...calculator.body.matchAll(/^- (.+?): .+[×÷]/gm)].map(([, label]) =>
      label!.toLowerCase(),
    );
    expect(formulas.length).toBeGreaterThan(0);
    expect(computeMissedCallCost(exampleAnswers).map(({ label }) => label.toLowerCase())).toEqual(
      formulas,
    );
  });

  it('appear below their page’s introduction, and repeat no question from it', () => {
    for (const { path, tool, body } of pagesWithTool) {
      const html = collapseSpaces(
        readFileSync(join(inject('mainBuild'), 'client', `${path}.html`), 'utf8'),
      );
      const prose = [...html.matchAll(/<div class="prose">(.*?)<\/div>/g)].map(([, text]) => text!);
      expect(html.indexOf('class="tool"'), path).toBeGreaterThan(html.indexOf('class="prose"'));
      expect(html.slice(0, html.indexOf('class="tool"')).match(/<h2/), path).toBeNull();
      for (const question of tool === 'audit' ? parseAudit(body).questions : [])
        expect(prose.join(' '), path).not.toContain(question);
    }
  });

  it('show a worked example without JavaScript', () => {
    const outDir = inject('mainBuild');
    const builtPages = readBuiltSite(outDir).registry.pages.filter(
      (page) => page.tool !== undefined,
    );
    for (const page of builtPages) {
      const html = readFileSync(join(outDir, 'client', `${page.path}.html`), 'utf8');
      expect(html).toContain('data-without-script');
      if (page.tool === calculator.tool)
        for (const step of computeMissedCallCost(exampleAnswers))
          expect(html).toContain(addNonBreakingSpaces(formatResult(step)));
      else expect(html).toContain(addNonBreakingSpaces('the score is 7 × 10 = 70'));
    }
  });
});
