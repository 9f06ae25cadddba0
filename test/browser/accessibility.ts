import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Frame } from 'playwright-core';

/** The minified build, which a page parses faster than the build that Node imports. */
const AXE_SOURCE = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** WCAG 2.2 AA and axe’s best practices. */
const ALL_RULES: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/** The rules that depend on colors or sizes. All others depend on the document and on visibility. */
const APPEARANCE_RULES: axe.RunOnly = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'],
};

/**
 * Accessibility violations on the page; runs in a page with axe loaded. Text in the color of its
 * background counts as a violation, although axe reports it as incomplete because it may be hidden
 * on purpose. Closed `details` are emptied during the run, because axe reports nothing about them
 * but spends as much time on them as on other content.
 */
async function findViolations(runOnly: axe.RunOnly): Promise<string[]> {
  const { axe: axeCore } = globalThis as unknown as { axe: typeof axe };
  const placeholders = [...document.querySelectorAll('details:not([open]) > :not(summary)')].map(
    (element) => ({ element, place: document.createComment('') }),
  );
  for (const { element, place } of placeholders) element.replaceWith(place);
  const { violations, incomplete } = await axeCore.run({
    runOnly,
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

/** Loads axe into a frame. */
export const injectAxe = (frame: Frame) => frame.evaluate(AXE_SOURCE);

/** Accessibility violations in a frame where axe is loaded. */
export const findAccessibilityViolations = (frame: Frame) =>
  frame.evaluate(findViolations, ALL_RULES);

type Marked = typeof globalThis & { visibleElements?: WeakSet<Element> };

/**
 * Marks the visible elements, or returns whether an unmarked one is visible; runs in the page. Axe
 * has no rules about the shapes of a drawing.
 */
function markOrCompareVisibleElements(isComparison: boolean): boolean {
  const visible = [...document.querySelectorAll('body :not(path)')].filter((element) =>
    element.checkVisibility(),
  );
  const marked = globalThis as Marked;
  if (isComparison) return visible.some((element) => !marked.visibleElements?.has(element));
  marked.visibleElements = new WeakSet(visible);
  return false;
}

/** Marks the elements that {@link findViolationsOfAppearance} considers checked. */
export const markVisibleElements = (frame: Frame) =>
  frame.evaluate(markOrCompareVisibleElements, false);

/**
 * Accessibility violations after a change of the viewport or the color scheme. Runs only the rules
 * that such a change affects, unless it has made more elements visible.
 */
export async function findViolationsOfAppearance(frame: Frame): Promise<string[]> {
  const hasMore = await frame.evaluate(markOrCompareVisibleElements, true);
  return frame.evaluate(findViolations, hasMore ? ALL_RULES : APPEARANCE_RULES);
}
