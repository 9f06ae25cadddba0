import type { Registry } from '../site/registry.ts';
import type { Subsite } from '../registry/subsite.ts';
import { themes } from './storefront/themes.ts';

/** Icons that the interface itself uses, by their name in the icon set (Lucide). */
const interfaceIcons = [
  'arrow-right',
  'badge-check',
  'bot',
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

const byType = {
  Article: 'newspaper',
  ItemList: 'list',
  LocalBusiness: 'store',
  Organization: 'building',
  Service: 'concierge-bell',
  SoftwareApplication: 'app-window',
  WebPage: 'file-text',
} as const satisfies Record<Subsite['schemaType'], string>;

/** The icon of a subsite: the one that its record names, else one for its type. */
export const subsiteIcon = (subsite: Subsite): string => subsite.icon ?? byType[subsite.schemaType];

/** Icons of storefronts, where an action makes any. */
const storefrontIcons = ({ subsites }: Registry): string[] =>
  subsites.some(({ actions }) => actions.some(({ effect }) => effect?.kind === 'storefront'))
    ? Object.values(themes).map(({ icon }) => icon)
    : [];

/** Every icon that the pages of a network show, sorted. */
export const iconsOf = (registry: Registry): string[] =>
  [
    ...new Set([
      ...interfaceIcons,
      ...registry.subsites.map(subsiteIcon),
      ...storefrontIcons(registry),
    ]),
  ].sort();
