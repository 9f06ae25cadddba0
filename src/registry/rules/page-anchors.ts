import { CONTACT_ANCHOR } from '../../site/forms/form-inputs.ts';
import { listHeadingAnchors } from '../../site/link-targets.ts';
import type { Page } from '../schemas/network.ts';
import type { Subsite } from '../schemas/subsite.ts';
import type { UnreadableRecords } from '../unreadable-records.ts';
import type { Records } from './rule.ts';

/** The parts of a page to which a link may point. */
export interface PageAnchors {
  /**
   * Anchors of the headings in the operator’s text, without the prefix that they have on the page.
   */
  headings: readonly string[];
  /** IDs of elements that this kind of page may have, to suggest in place of a similar one. */
  elements: readonly string[];
  /** True for the page’s own elements, or for any anchor if these are unknown. */
  mayHave: (anchor: string) => boolean;
}

/** IDs of elements that a subsite’s page may have. */
const SUBSITE_ELEMENTS = 'content access facts free-days guide hours items more play prices'.split(
  ' ',
);
const NUMBERED_ELEMENT_PATTERN = /^(?:drawing|lead-form|play|puzzle)\b/;

/** Matches IDs of elements in a list of items, which may be puzzles. */
const LIST_ELEMENT_PATTERN = /^(?:items|play)$|^(?:drawing|play|puzzle)-/;

/** True for an anchor that no heading in an operator’s text can have. */
const isElementAnchor = (anchor: string) => !anchor.startsWith('section-');

/**
 * Creates a function that looks up the anchors of the page at a path; undefined if they are
 * unknown.
 */
export function createAnchorLookup(
  { network, pages, subsites, catalogs }: Records,
  unreadable: UnreadableRecords,
): (path: string) => PageAnchors | undefined {
  /** True for an item that has an anchor in the list of items because it has no page. */
  const isListedItem = (name: string, anchor: string) => {
    const { route, items = [] } = catalogs[name] ?? {};
    return route === undefined && items.some(({ id }) => id === anchor);
  };
  const anchorsOfSubsite = ({ name, intro = '', actions }: Subsite): PageAnchors => ({
    headings: listHeadingAnchors(intro),
    elements: [...SUBSITE_ELEMENTS, ...actions.map(({ verb }) => verb)],
    mayHave: (anchor) =>
      (unreadable.isNonEmpty && isElementAnchor(anchor)) ||
      SUBSITE_ELEMENTS.includes(anchor) ||
      NUMBERED_ELEMENT_PATTERN.test(anchor) ||
      isListedItem(name, anchor) ||
      [CONTACT_ANCHOR, ...actions.map(({ verb }) => verb)].some(
        (form) => anchor === form || anchor.startsWith(`${form}-`),
      ),
  });
  const anchorsOfPage = ({ path, body, items, tool }: Page): PageAnchors => {
    const hasOwnElements =
      ['/', network.agentArea].includes(path) || tool !== undefined || unreadable.isNonEmpty;
    return {
      headings: listHeadingAnchors(body),
      elements: [],
      mayHave: (anchor) =>
        (hasOwnElements && isElementAnchor(anchor)) ||
        anchor === 'content' ||
        (items !== undefined &&
          (LIST_ELEMENT_PATTERN.test(anchor) || isListedItem(items.catalog, anchor))),
    };
  };
  const anchorsByPath = new Map([
    ...subsites.map((subsite) => [subsite.url, () => anchorsOfSubsite(subsite)] as const),
    ...pages.map((page) => [page.path, () => anchorsOfPage(page)] as const),
  ]);
  return (path) => anchorsByPath.get(path)?.();
}
