import { findNearest } from '../../site/corrections/similar-names.ts';
import type { Rule } from '../../registry/rules/rule.ts';
import { iconNames } from './icon-drawing.ts';

/** Checks that the icons named in records exist. */
export const iconRule: Rule = {
  name: 'known-icon',
  description: 'Icons named by subsites exist in the icon set.',
  *check({ subsites }) {
    for (const { name, icon } of subsites) {
      if (icon === undefined || iconNames.has(icon)) continue;
      const suggestion = findNearest(icon, [...iconNames]);
      yield {
        record: `subsites/${name}`,
        path: ['icon'],
        problem: `is not an icon in the set. ${suggestion ? `Did you mean ${suggestion}? ` : ''}Choose a name from https://lucide.dev/icons.`,
      };
    }
  },
};
