import { storefrontThemes } from '../../text/index.ts';

/**
 * The look for a kind of business. The colors and type are in src/styles/storefront-themes.css
 * under the theme’s name.
 */
export interface Theme {
  /** Name of an icon in the icon set (Lucide). */
  icon: string;
  /** Heading for the offerings. */
  offerings: string;
  /** Text above the name of a business that has no town. */
  kicker: string;
}

/**
 * The themes by the values of a storefront’s theme field; any other value uses the generic theme.
 */
export const themes: Readonly<Record<string, Theme>> = {
  generic: { icon: 'store', ...storefrontThemes.generic },
  auto: { icon: 'car', ...storefrontThemes.auto },
  nails: { icon: 'sparkles', ...storefrontThemes.nails },
  hair: { icon: 'scissors', ...storefrontThemes.hair },
  lawn: { icon: 'leaf', ...storefrontThemes.lawn },
  plumber: { icon: 'droplets', ...storefrontThemes.plumber },
  bakery: { icon: 'croissant', ...storefrontThemes.bakery },
  restaurant: { icon: 'utensils', ...storefrontThemes.restaurant },
  boutique: { icon: 'shirt', ...storefrontThemes.boutique },
  contractor: { icon: 'hammer', ...storefrontThemes.contractor },
  petgroomer: { icon: 'paw-print', ...storefrontThemes.petgroomer },
};

/** The theme for a value, and the name of its style. */
export const themeOf = (value: string): { name: string; theme: Theme } =>
  Object.hasOwn(themes, value)
    ? { name: value, theme: themes[value]! }
    : { name: 'generic', theme: themes['generic']! };
