import type { Registry } from '../site/registry.ts';
import type { Subsite } from '../registry/subsite.ts';
import { categories } from '../site/record-words.ts';

/** The categories that have subsites, in the order shown. */
export function filledCategories({ subsites }: Registry): Subsite['category'][] {
  const filled = new Set(subsites.map(({ category }) => category));
  return (Object.keys(categories) as Subsite['category'][]).filter((category) =>
    filled.has(category),
  );
}
