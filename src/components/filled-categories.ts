import type { Registry, Subsite } from '../registry/index.ts';
import { categories } from '../registry/words.ts';

/** The categories that have subsites, in the order shown. */
export function filledCategories({ subsites }: Registry): Subsite['category'][] {
  const filled = new Set(subsites.map(({ category }) => category));
  return (Object.keys(categories) as Subsite['category'][]).filter((category) => filled.has(category));
}
