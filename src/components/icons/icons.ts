import type { Registry } from '../../site/registry.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { themeIcons } from '../storefront/themes.ts';

/** Interface icons, by their names in the icon set (Lucide). */
const interfaceIcons = [
  'arrow-right',
  'badge-check',
  'calendar-days',
  'check',
  'clock',
  'compass',
  'lock',
  'mail',
  'map-pin',
  'phone',
  'search',
  'tag',
  'x',
] as const;

const iconByType = {
  Article: 'newspaper',
  ItemList: 'list',
  LocalBusiness: 'store',
  Organization: 'building',
  Service: 'concierge-bell',
  SoftwareApplication: 'app-window',
  WebPage: 'file-text',
} as const satisfies Record<Subsite['schemaType'], string>;

/** The icon of a subsite: from its record, or the default for its type. */
export const iconOf = (subsite: Subsite): string => subsite.icon ?? iconByType[subsite.schemaType];

/** Icons of storefronts, if an action creates any. */
const listStorefrontIcons = ({ subsites }: Registry): string[] =>
  subsites.some(({ actions }) => actions.some(({ effect }) => effect?.kind === 'storefront'))
    ? Object.values(themeIcons)
    : [];

/** All icons on a network's pages, sorted. */
export const iconsOf = (registry: Registry): string[] =>
  [
    ...new Set([
      ...interfaceIcons,
      ...registry.subsites.map(iconOf),
      ...listStorefrontIcons(registry),
    ]),
  ].sort();
