import { describe, expect, it } from 'vitest';
import { requestBody } from '../../src/artifacts/markdown/request-body.ts';
import { problemAdvice } from '../../src/operation/problem-advice.ts';
import { type ProblemCode, problemCodes } from '../../src/operation/problem.ts';
import { pagesBelow } from '../../src/site/registry.ts';
import type { SitePage } from '../../src/site/pages-of-site.ts';
import { twinPath } from '../../src/site/site.ts';
import { attributeInWords, daysInWords, hoursInWords } from '../../src/site/words/words.ts';
import { answersInWords, categories } from '../../src/site/words/record-words.ts';
import { networks } from './networks.ts';

type Of<Kind extends SitePage['kind']> = Extract<SitePage, { kind: Kind }>;

describe.each(networks)(
  'the Markdown pages of $name',
  ({ site: { registry, base }, pages, text }) => {
    const of = <Kind extends SitePage['kind']>(kind: Kind) =>
      pages
        .filter((page): page is Of<Kind> => page.kind === kind)
        .map((page) => ({ page, twin: text(twinPath(page.path)) }));

    it('state for each subsite the response time, the retention period, and the pages below it', () => {
      for (const {
        page: { subsite },
        twin,
      } of of('subsite')) {
        const answers = twin.split('\n').filter((line) => line.includes('Answered within'));
        expect(
          answers.map((line) => line.slice(line.indexOf('Answered within'))),
          subsite.name,
        ).toEqual(
          subsite.actions.map(
            ({ respondWithinHours, retentionDays }) =>
              `Answered within ${hoursInWords(respondWithinHours)}; erased ${daysInWords(retentionDays)} after its last change.`,
          ),
        );
        const below = pagesBelow(registry, subsite);
        expect(twin.includes(`## More from ${subsite.title}`), subsite.name).toBe(below.length > 0);
        for (const { path } of below)
          expect(twin, subsite.name).toContain(`(${base}${twinPath(path)})`);
      }
    });

    it('state for each subsite how quickly its requests were answered, if measured', () => {
      for (const {
        page: { subsite },
        twin,
      } of of('subsite')) {
        const measured = registry.responsiveness[subsite.name];
        expect(twin.includes('were answered'), subsite.name).toBe(
          measured !== undefined && subsite.actions.length > 0,
        );
        if (measured && subsite.actions.length) expect(twin).toContain(answersInWords(measured));
      }
    });

    it('list an available item’s actions, and its attributes in words', () => {
      for (const {
        page: { path, item, subsite },
        twin,
      } of of('item')) {
        const over = item.status === 'sold' || item.status === 'past';
        for (const action of subsite.actions.filter(({ effect }) => effect?.kind !== 'import'))
          expect(twin.includes(requestBody(subsite, action)), path).toBe(!over);
        for (const [name, given] of Object.entries(item.attributes ?? {})) {
          const { label, value } = attributeInWords(name, given);
          expect(twin, path).toContain(`- ${label}: ${value}\n`);
        }
      }
    });

    it('explain on the front page in under 1,500 tokens how to get help, and name every service', () => {
      const front = text('/index.md');
      // A token is about four bytes.
      expect(Buffer.byteLength(front) / 4).toBeLessThan(1500);
      expect(front.indexOf('/api/find?q=')).toBeGreaterThan(0);
      expect(front.indexOf('/api/find?q=')).toBeLessThan(front.indexOf('/api/agent-index'));
      for (const { url } of registry.subsites.filter((subsite) => subsite.url !== '/'))
        expect(front).toContain(`(${base}${twinPath(url)})`);
      expect(text('/llms.txt')).toContain(`${base}/api/find?q=`);
    });

    it('explain each problem and what to do about it', () => {
      const problems = of('problem');
      expect(problems.map(({ page }) => page.code).sort()).toEqual(
        Object.keys(problemCodes).sort(),
      );
      for (const {
        page: { code, status },
        twin,
      } of problems) {
        const { happened, steps } = problemAdvice[code as ProblemCode];
        for (const said of [`\`${code}\``, String(status), happened, ...steps])
          expect(twin, code).toContain(said);
      }
    });

    it('use the same category names as the HTML pages', () => {
      for (const [category, name] of Object.entries(categories)) {
        const inIt = registry.subsites.filter(
          (subsite) => subsite.category === category && subsite.url !== '/',
        );
        expect(text('/index.md').includes(`## ${name}\n`)).toBe(inIt.length > 0);
        expect(text('/llms.txt').includes(`## ${name}\n`)).toBe(
          inIt.some(({ status }) => status === 'public'),
        );
      }
    });
  },
);
