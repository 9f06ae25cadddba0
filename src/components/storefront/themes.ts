import { storefrontThemes } from '../../text/index.ts';

/** The icons of the themes, by their names in the icon set (Lucide). */
export const themeIcons = {
  generic: 'store',
  auto: 'car',
  nails: 'sparkles',
  hair: 'scissors',
  lawn: 'leaf',
  plumber: 'droplets',
  bakery: 'croissant',
  restaurant: 'utensils',
  boutique: 'shirt',
  contractor: 'hammer',
  petgroomer: 'paw-print',
} as const satisfies Record<keyof typeof storefrontThemes, string>;

/**
 * The look of a storefront, by the value of its theme field; any other value gets the generic look.
 * The colors and type are in src/styles/storefront-themes.css under the theme’s name.
 */
export function themeOf(value: string) {
  const name = Object.hasOwn(themeIcons, value) ? (value as keyof typeof themeIcons) : 'generic';
  return { name, icon: themeIcons[name], ...storefrontThemes[name] };
}
