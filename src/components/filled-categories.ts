import { keysOf } from '../site/json-object.ts';
import type { Registry } from '../site/registry.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { categories } from '../site/words/record-words.ts';

/** The categories that have subsites, in display order. */
export function findNonEmptyCategories({ subsites }: Registry): Subsite['category'][] {
  const filled = new Set(subsites.map(({ category }) => category));
  return keysOf(categories).filter((category) => filled.has(category));
}
