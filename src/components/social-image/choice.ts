import type { Catalog, Item } from '../../registry/schemas/catalog.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { categories, formatItemDay, formatItemPriceLine } from '../../site/words/record-words.ts';
import { socialPictureOf } from '../../site/pictures.ts';
import { itemPath, type Registry } from '../../site/registry.ts';
import { storefrontPicture } from '../../text/index.ts';
import { findNonEmptyCategories } from '../filled-categories.ts';
import { iconOf } from '../icons/icons.ts';
import { themeOf } from '../storefront/themes.ts';

/**
 * Maximum number of images for subsites, and for subsites and items together. An image takes about
 * as long to build as sixty pages, so images would dominate the build of a large network. Beyond
 * these numbers, items share their subsite’s image, and subsites share one image per category.
 */
const MAX_IMAGES = { subsites: 120, withItems: 240 };

/** Content of an image. */
export interface SocialImage {
  /** Last segment of its path, without extension. */
  name: string;
  /** Seed for drawing its island; defaults to its name. */
  seed?: string;
  title: string;
  text: string;
  /** The line above the title. */
  kind: string;
  /** The price or date of an item. */
  fact?: string;
  network: string;
  icon: string;
  /** The subsite that sets the accent color; absent for the network's color. */
  category?: Subsite['category'];
}

/** An image as referenced by a page. */
export interface SharedImage {
  /** Site-relative path. */
  path: string;
  /** Alternative text. */
  alt: string;
}

/** The records that have their own image; how many depends on the size of the network. */
export function chooseImageGranularity(registry: Registry): 'items' | 'subsites' | 'categories' {
  const { subsites, catalogs } = registry;
  if (subsites.length > MAX_IMAGES.subsites) return 'categories';
  const items = Object.values(catalogs).flatMap((catalog) => (catalog.route ? catalog.items : []));
  return subsites.length + items.length > MAX_IMAGES.withItems ? 'subsites' : 'items';
}

const createNetworkImage = ({
  network: { name, tagline, description },
}: Registry): SocialImage => ({
  name: 'network',
  title: tagline,
  text: description,
  kind: name,
  network: name,
  icon: 'compass',
});

const createCategoryImage = (registry: Registry, category: Subsite['category']): SocialImage => ({
  ...createNetworkImage(registry),
  name: `category-${category}`,
  title: categories[category],
  category,
});

const createSubsiteImage = ({ network }: Registry, subsite: Subsite): SocialImage => ({
  name: `site-${subsite.name}`,
  seed: subsite.name,
  title: subsite.title,
  text: subsite.purpose,
  kind: categories[subsite.category],
  network: network.name,
  icon: iconOf(subsite),
  category: subsite.category,
});

function createItemImage(
  registry: Registry,
  subsite: Subsite,
  catalog: Catalog,
  item: Item,
): SocialImage {
  const fact = item.price
    ? formatItemPriceLine(item.price, catalog.noun)
    : item.date && formatItemDay(item.date, catalog);
  return {
    ...createSubsiteImage(registry, subsite),
    name: `item-${subsite.name}-${item.id}`,
    seed: item.id,
    title: item.title,
    text: item.summary,
    kind: subsite.title,
    ...(fact && { fact }),
  };
}

const createStorefrontImage = ({ network }: Registry, value: string): SocialImage => {
  const { name, icon, kicker } = themeOf(value);
  return {
    name: `storefront-${name}`,
    seed: name,
    title: kicker,
    text: storefrontPicture.text,
    kind: storefrontPicture.kind,
    network: network.name,
    icon,
  };
};

const toSharedImage = ({ name, kind, title, text, fact, network }: SocialImage): SharedImage => ({
  path: `/og/${name}.png`,
  alt: [...new Set([network, kind, title, text, fact])].filter(Boolean).join(' · '),
});

/**
 * The image in previews of links to a page: that of its item, subsite or category, or of the
 * network.
 */
export function socialImageOf(
  registry: Registry,
  subsite?: Subsite,
  catalogItem?: { catalog: Catalog; item: Item },
): SharedImage {
  if (!subsite) return toSharedImage(createNetworkImage(registry));
  const photograph = catalogItem ? catalogItem.item.image : subsite.image;
  if (photograph) return { path: socialPictureOf(photograph).path, alt: photograph.alt };
  const granularity = chooseImageGranularity(registry);
  if (granularity === 'categories')
    return toSharedImage(createCategoryImage(registry, subsite.category));
  return toSharedImage(
    granularity === 'items' && catalogItem
      ? createItemImage(registry, subsite, catalogItem.catalog, catalogItem.item)
      : createSubsiteImage(registry, subsite),
  );
}

/** The image in previews of links to a storefront, by theme. */
export const storefrontImageOf = (registry: Registry, theme: string): SharedImage =>
  toSharedImage(createStorefrontImage(registry, theme));

/** The values of all theme fields in a network. */
const listThemes = ({ subsites }: Registry): string[] => [
  ...new Set(
    subsites.flatMap(({ actions }) =>
      actions.flatMap(({ effect, fields }) =>
        effect?.kind === 'storefront'
          ? ['generic', ...(fields[effect.themeField]?.enum ?? [])].map(
              (value) => themeOf(value).name,
            )
          : [],
      ),
    ),
  ),
];

/** Every image in a network. */
export function listSocialImages(registry: Registry): SocialImage[] {
  const granularity = chooseImageGranularity(registry);
  const { subsites, catalogs } = registry;
  return [
    createNetworkImage(registry),
    ...(granularity === 'categories'
      ? findNonEmptyCategories(registry).map((category) => createCategoryImage(registry, category))
      : subsites.map((subsite) => createSubsiteImage(registry, subsite))),
    ...(granularity === 'items'
      ? subsites.flatMap((subsite) => {
          const catalog = catalogs[subsite.name];
          return (catalog?.items ?? [])
            .filter((item) => itemPath(catalog!, item))
            .map((item) => createItemImage(registry, subsite, catalog!, item));
        })
      : []),
    ...listThemes(registry).map((value) => createStorefrontImage(registry, value)),
  ];
}
