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
  generic: { icon: 'store', offerings: 'What we offer', kicker: 'Local business' },
  auto: { icon: 'car', offerings: 'Services', kicker: 'Auto care' },
  nails: { icon: 'sparkles', offerings: 'Treatments', kicker: 'Nail studio' },
  hair: { icon: 'scissors', offerings: 'Services', kicker: 'Hair' },
  lawn: { icon: 'leaf', offerings: 'Lawn care', kicker: 'Yards and gardens' },
  plumber: { icon: 'droplets', offerings: 'Services', kicker: 'Plumbing' },
  bakery: { icon: 'croissant', offerings: 'From the oven', kicker: 'Bakery' },
  restaurant: { icon: 'utensils', offerings: 'On the table', kicker: 'Kitchen' },
  boutique: { icon: 'shirt', offerings: 'The collection', kicker: 'Boutique' },
  contractor: { icon: 'hammer', offerings: 'Our work', kicker: 'Building and repair' },
  petgroomer: { icon: 'paw-print', offerings: 'Pet care', kicker: 'Pets' },
};

/** The theme for a value, and the name of its style. */
export const themeOf = (value: string): { name: string; theme: Theme } =>
  Object.hasOwn(themes, value)
    ? { name: value, theme: themes[value]! }
    : { name: 'generic', theme: themes['generic']! };
