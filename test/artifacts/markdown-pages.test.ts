import { describe, expect, it } from 'vitest';
import { renderRequestBody } from '../../src/artifacts/markdown/request-body.ts';
import { problemAdvice } from '../../src/operation/problem-advice.ts';
import type { ProblemCode } from '../../src/operation/problem.ts';
import { problemCodes } from '../../src/site/problem-codes.ts';
import { childPagesOf } from '../../src/site/registry.ts';
import type { SitePage } from '../../src/site/pages-of-site.ts';
import { toMarkdownPath } from '../../src/site/site.ts';
import { formatAttribute, formatHourCount } from '../../src/site/words/words.ts';
import {
  formatResponsiveness,
  formatRetention,
  categories,
} from '../../src/site/words/record-words.ts';
import { networks } from './networks.ts';

type PageOfKind<Kind extends SitePage['kind']> = Extract<SitePage, { kind: Kind }>;

describe.each(networks)(
  'the Markdown pages of $name',
  ({ site: { registry, base }, pages, text }) => {
    const pagesOfKind = <Kind extends SitePage['kind']>(kind: Kind) =>
      pages
        .filter((page): page is PageOfKind<Kind> => page.kind === kind)
        .map((page) => ({ page, markdown: text(toMarkdownPath(page.path)) }));

    it('state for each subsite the response time, the retention period, and the pages below it', () => {
      for (const {
        page: { subsite },
        markdown,
      } of pagesOfKind('subsite')) {
        const answers = markdown.split('\n').filter((line) => line.includes('Answered within'));
        expect(
          answers.map((line) => line.slice(line.indexOf('Answered within'))),
          subsite.name,
        ).toEqual(
          // Nobody has to answer a subscription.
          subsite.actions.flatMap(({ respondWithinHours, retentionDays, purpose, fields }) =>
            purpose === 'subscription'
              ? []
              : `Answered within ${formatHourCount(respondWithinHours)}${subsite.hours ? '. If we are closed when that time is up, within 2 hours after we open' : ''}; erased ${formatRetention({ retentionDays, fields })}.`,
          ),
        );
        const childPages = childPagesOf(registry, subsite);
        expect(markdown.includes(`## More from ${subsite.title}`), subsite.name).toBe(
          childPages.length > 0,
        );
        for (const { path } of childPages)
          expect(markdown, subsite.name).toContain(`(${base}${toMarkdownPath(path)})`);
      }
    });

    it('state how quickly each subsite answered requests, if measured', () => {
      for (const {
        page: { subsite },
        markdown,
      } of pagesOfKind('subsite')) {
        const measured = registry.responsiveness[subsite.name];
        expect(markdown.includes('were answered'), subsite.name).toBe(
          measured !== undefined && subsite.actions.length > 0,
        );
        if (measured && subsite.actions.length)
          expect(markdown).toContain(formatResponsiveness(measured));
      }
    });

    it('list the actions of an available item, and its attributes in words', () => {
      for (const {
        page: { path, item, subsite },
        markdown,
      } of pagesOfKind('item')) {
        const isUnavailable = item.status === 'sold' || item.status === 'past';
        for (const action of subsite.actions.filter(({ effect }) => effect?.kind !== 'import'))
          expect(markdown.includes(renderRequestBody(subsite, action)), path).toBe(!isUnavailable);
        for (const [name, attributeValue] of Object.entries(item.attributes ?? {})) {
          const { label, value } = formatAttribute(name, attributeValue);
          expect(markdown, path).toContain(`- ${label}: ${value}\n`);
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
        expect(front).toContain(`(${base}${toMarkdownPath(url)})`);
      expect(text('/llms.txt')).toContain(`${base}/api/find?q=`);
    });

    it('explain each problem and what to do about it', () => {
      const problems = pagesOfKind('problem');
      expect(problems.map(({ page }) => page.code).sort()).toEqual(
        Object.keys(problemCodes).sort(),
      );
      for (const {
        page: { code, status },
        markdown,
      } of problems) {
        const { explanation, steps } = problemAdvice[code as ProblemCode];
        for (const expectedText of [`\`${code}\``, String(status), explanation, ...steps])
          expect(markdown, code).toContain(expectedText);
      }
    });

    it('use the same category names as the HTML pages', () => {
      for (const [category, name] of Object.entries(categories)) {
        const subsitesInCategory = registry.subsites.filter(
          (subsite) => subsite.category === category && subsite.url !== '/',
        );
        expect(text('/index.md').includes(`## ${name}\n`)).toBe(subsitesInCategory.length > 0);
        expect(text('/llms.txt').includes(`## ${name}\n`)).toBe(
          subsitesInCategory.some(({ status }) => status === 'public'),
        );
      }
    });
  },
);
