import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The minified file, which a page parses in less time than the one that Node imports. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of WCAG 2.2 AA and axe’s best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Breaches of the rules in what the page shows; runs in a page that has axe. Text of the very color
 * behind it is one: axe counts it as incomplete, as it may be hidden on purpose. What closed
 * details hide is taken out meanwhile: axe says nothing of it, and takes as long as for the rest.
 */
async function breachesInPage(tags: string[]): Promise<string[]> {
  const { axe: rules } = globalThis as unknown as { axe: typeof axe };
  const hidden = [...document.querySelectorAll('details:not([open]) > :not(summary)')].map(
    (element) => ({ element, place: document.createComment('') }),
  );
  for (const { element, place } of hidden) element.replaceWith(place);
  const { violations, incomplete } = await rules.run({
    runOnly: tags,
    resultTypes: ['violations', 'incomplete'],
  });
  for (const { element, place } of hidden) place.replaceWith(element);
  const isInvisible = ({ any }: axe.NodeResult) =>
    any.some(({ data }) => (data as { messageKey?: string } | null)?.messageKey === 'equalRatio');
  return [
    ...violations,
    ...incomplete.map((rule) => ({ ...rule, nodes: rule.nodes.filter(isInvisible) })),
  ].flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} at ${html}`));
}

/** Puts axe into the open page. */
export const addAxe = (page: Page) => page.evaluate(AXE);

/** Breaches of the rules of accessibility in what a page that has axe shows. */
export const breaches = (page: Page) => page.evaluate(breachesInPage, RULES);
