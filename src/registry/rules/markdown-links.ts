import { toSectionAnchor } from '../../site/heading-anchor.ts';
import { listLinkTargets } from '../../site/link-targets.ts';
import { findNearest } from '../../site/corrections/similar-names.ts';
import type { PageAnchors } from './page-anchors.ts';
import type { Location, Violation } from './rule.ts';

/** Matches addresses outside the network, and anchors on the same page. */
const OUTSIDE_PATTERN = /^(?:https?:\/\/[^/\s]|mailto:[^@\s]+@[^@\s]|(?:tel|sms):\+?\d|#.)/i;

/** The possible targets of links in a text. */
export interface Destinations {
  /** Explains why a site-relative link is broken; undefined if it works. */
  describeBrokenLink: (link: string) => string | undefined;
  /** The anchors of the page at a path; an empty path is the page that contains the text. */
  anchorsOf: (path: string) => PageAnchors | undefined;
}

/** Explains why a link is broken; undefined if it works. */
function describeFault(target: string, destinations: Destinations): string | undefined {
  if (target.startsWith('/')) return describePathFault(target, destinations);
  if (!OUTSIDE_PATTERN.test(target))
    return 'is not an address. Use a path such as /terms, or an address with https://, mailto:, tel: or sms:.';
  return target.startsWith('#') ? describeAnchorFault(target, destinations) : undefined;
}

/** Explains why a site-relative link, including its anchor, is broken; undefined if it works. */
export const describePathFault = (target: string, destinations: Destinations): string | undefined =>
  destinations.describeBrokenLink(target) ?? describeAnchorFault(target, destinations);

/** Explains why the anchor in a link does not exist; undefined if it does or the link has none. */
function describeAnchorFault(target: string, { anchorsOf }: Destinations): string | undefined {
  const [address = '', anchor = ''] = target.split('#');
  const path = address.replace(/\?.*$/, '');
  const page = anchor ? anchorsOf(path) : undefined;
  // The browser finds the text of a #:~:text= fragment, which needs no anchor.
  if (!page || page.mayHave(anchor) || anchor.startsWith(':~:')) return undefined;
  const sections = page.headings.map(toSectionAnchor);
  if (sections.includes(anchor)) return undefined;
  if (page.headings.includes(anchor))
    return `is not the anchor of that heading. Use ${path}#${toSectionAnchor(anchor)}.`;
  const nearest = findNearest(anchor, [...sections, ...page.elements]);
  const advice = nearest
    ? `Did you mean ${path}#${nearest}?`
    : sections.length
      ? `Known: ${sections.map((section) => `#${section}`).join(', ')}.`
      : `Link to ${path || 'the page'} without an anchor.`;
  return `is not a section of that page. ${advice}`;
}

/** Finds broken links in Markdown. */
export function* findBrokenLinks(
  markdown: string | undefined,
  destinations: Destinations,
  location: Location,
): Generator<Violation> {
  const targets = listLinkTargets(markdown ?? '');
  for (const [index, target] of targets.entries()) {
    const fault = describeFault(target, destinations);
    if (fault !== undefined)
      yield {
        ...location,
        problem: `links to ${target || 'nothing'}, which ${fault}`,
        location: {
          pattern: new RegExp(`(?<=\\]\\(\\s*<?)${RegExp.escape(target)}(?=[\\s>)])`, 'g'),
          match: targets.slice(0, index).filter((other) => other === target).length,
        },
      };
  }
}
