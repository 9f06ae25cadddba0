import { listLinkTargets } from '../../site/link-targets.ts';
import type { Location, Violation } from './rule.ts';

/** Addresses outside the network, and anchors of the same page. */
const OUTSIDE_PATTERN = /^(?:https?:\/\/[^/\s]|mailto:[^@\s]+@[^@\s]|tel:\+?\d|#.)/i;

/** Links in Markdown that lead nowhere. */
export function* findBrokenLinks(
  markdown: string | undefined,
  isResolvable: (link: string) => boolean,
  location: Location,
): Generator<Violation> {
  const targets = listLinkTargets(markdown ?? '');
  for (const [index, target] of targets.entries()) {
    const problem = target.startsWith('/')
      ? !isResolvable(target) && 'has no page. Link to a page in this network.'
      : !OUTSIDE_PATTERN.test(target) &&
        'is no address. Use a path such as /terms, or an address with https://, mailto: or tel:.';
    if (problem)
      yield {
        ...location,
        problem: `links to ${target || 'nothing'}, which ${problem}`,
        location: {
          pattern: new RegExp(`(?<=\\]\\(\\s*<?)${RegExp.escape(target)}(?=[\\s>)])`, 'g'),
          match: targets.slice(0, index).filter((other) => other === target).length,
        },
      };
  }
}
