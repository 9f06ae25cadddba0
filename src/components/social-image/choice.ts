import type { Registry } from '../../site/registry.ts';
import type { Subsite } from '../../registry/subsite.ts';
import { filledCategories } from '../filled-categories.ts';
import { subsiteIcon } from '../icons.ts';
import { categories } from '../../site/record-words.ts';

/**
 * Networks with more subsites share one picture per category: a picture takes about as long as sixty pages, and would
 * dominate the build of a large network.
 */
const MOST_PICTURES = 120;

/** What a picture shows. */
export interface SocialImage {
  /** Last segment of its path, without extension. */
  name: string;
  title: string;
  text: string;
  /** The line above the title. */
  kind: string;
  network: string;
  icon: string;
  /** Whose accent it has; none for the network’s own. */
  category?: Subsite['category'];
}

/** Whether each subsite has a picture of its own. */
export const hasOwnPictures = (registry: Registry): boolean =>
  registry.subsites.length <= MOST_PICTURES;

/** Site-relative path of the picture shown where a page is shared: its subsite’s, its category’s, or the network’s. */
export function socialImagePath(registry: Registry, subsite?: Subsite): string {
  if (!subsite) return '/og/network.png';
  return hasOwnPictures(registry)
    ? `/og/site-${subsite.name}.png`
    : `/og/category-${subsite.category}.png`;
}

/** Every picture of a network. */
export function socialImages(registry: Registry): SocialImage[] {
  const { name: network, tagline, description } = registry.network;
  const shared: SocialImage = {
    name: 'network',
    title: tagline,
    text: description,
    kind: network,
    network,
    icon: 'compass',
  };
  if (!hasOwnPictures(registry))
    return [
      shared,
      ...filledCategories(registry).map((category): SocialImage => ({
        ...shared,
        name: `category-${category}`,
        title: categories[category],
        category,
      })),
    ];
  return [
    shared,
    ...registry.subsites.map((subsite): SocialImage => {
      const { name, title, purpose, category } = subsite;
      return {
        name: `site-${name}`,
        title,
        text: purpose,
        kind: categories[category],
        network,
        icon: subsiteIcon(subsite),
        category,
      };
    }),
  ];
}
