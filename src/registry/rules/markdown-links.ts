import { toSectionAnchor } from '../../site/heading-anchor.ts';
import { listHeadingAnchors, listLinkTargets } from '../../site/link-targets.ts';
import type { Location, Violation } from './rule.ts';

/** Addresses outside the network, and anchors of the same page. */
const OUTSIDE_PATTERN = /^(?:https?:\/\/[^/\s]|mailto:[^@\s]+@[^@\s]|(?:tel|sms):\+?\d|#.)/i;

/** What the links of a text may lead to. */
export interface Destinations {
  isResolvable: (link: string) => boolean;
  /** The Markdown of a page by its path, or of the page with the text if the path is empty. */
  bodyOf: (path: string) => string | undefined;
}

/** Why a link leads nowhere; undefined if it does not. */
function describeFault(target: string, { isResolvable, bodyOf }: Destinations): string | undefined {
  if (target.startsWith('/') ? !isResolvable(target) : !OUTSIDE_PATTERN.test(target))
    return target.startsWith('/')
      ? 'has no page. Link to a page in this network.'
      : 'is not an address. Use a path such as /terms, or an address with https://, mailto:, tel: or sms:.';
  const [path = '', anchor = ''] = target.split('#');
  const anchors = listHeadingAnchors(anchor && (bodyOf(path) ?? ''));
  return anchors.includes(anchor) && !anchors.map(toSectionAnchor).includes(anchor)
    ? `is not the anchor of that heading. Use ${path}#${toSectionAnchor(anchor)}.`
    : undefined;
}

/** Links in Markdown that lead nowhere. */
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
