import { expect, it } from 'vitest';
import { auditRules } from '../../src/registry/rules/audits.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { classifyUnreadableRecords } from '../../src/registry/unreadable-records.ts';

const registry = loadRegistry('registry');

it.each([
  ['no question', /^\d+\. .*\n(?: {3}.*\n)*/gm, '', 'has no questions.'],
  ['a score without a row', /^\| 50 to 70 .*\n/m, '', 'does not interpret a score of 50.'],
])('the check rejects an audit with %s', (_, from, to, problem) => {
  const pages = registry.pages
    .filter(({ tool }) => tool === 'audit')
    .map((page) => ({ ...page, body: page.body.replace(from, to) }));
  const problems = auditRules.flatMap((rule) => [
    ...rule.check({ ...registry, pages }, classifyUnreadableRecords([])),
  ]);
  expect(problems).toHaveLength(pages.length);
  for (const fault of problems) expect(fault.problem).toContain(problem);
});
