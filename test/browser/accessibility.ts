import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The minified build, which a page parses faster than the build that Node imports. */
const AXE_SOURCE = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** WCAG 2.2 AA and axe’s best practices. */
const RULE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Accessibility violations on the page; runs in a page with axe loaded. Text in the color of its
 * background counts as a violation, although axe reports it as incomplete because it may be hidden
 * on purpose. Closed `details` are emptied during the run, because axe reports nothing about them
 * but spends as much time on them as on other content.
 */
async function findViolations(tags: string[]): Promise<string[]> {
  const { axe: axeCore } = globalThis as unknown as { axe: typeof axe };
  const placeholders = [...document.querySelectorAll('details:not([open]) > :not(summary)')].map(
    (element) => ({ element, place: document.createComment('') }),
  );
  for (const { element, place } of placeholders) element.replaceWith(place);
  const { violations, incomplete } = await axeCore.run({
    runOnly: tags,
    resultTypes: ['violations', 'incomplete'],
    selectors: false,
  });
  for (const { element, place } of placeholders) place.replaceWith(element);
  const isInvisible = ({ any }: axe.NodeResult) =>
    any.some(({ data }) => (data as { messageKey?: string } | null)?.messageKey === 'equalRatio');
  return [
    ...violations,
    ...incomplete.map((rule) => ({ ...rule, nodes: rule.nodes.filter(isInvisible) })),
  ].flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} at ${html}`));
}

/** Loads axe into the open page. */
export const injectAxe = (page: Page) => page.evaluate(AXE_SOURCE);

/** Accessibility violations on a page where axe is loaded. */
export const findAccessibilityViolations = (page: Page) => page.evaluate(findViolations, RULE_TAGS);
