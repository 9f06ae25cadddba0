import set from '@iconify-json/lucide/icons.json' with { type: 'json' };

const { icons, aliases } = set as unknown as {
  icons: Readonly<Record<string, { body: string }>>;
  aliases: Readonly<Record<string, { parent: string }>>;
};

/** Names of all icons in the set. */
export const iconNames: ReadonlySet<string> = new Set([
  ...Object.keys(icons),
  ...Object.keys(aliases),
]);

/** Stroke attributes of the icon set, set by the component that shows an icon. */
const STROKE_ATTRIBUTES =
  / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g;

/**
 * SVG elements of an icon in a 24 by 24 viewport, to be stroked. @throws if the icon set (Lucide)
 * has no icon with this name
 */
export function renderIcon(name: string): string {
  if (!iconNames.has(name))
    throw new Error(
      `${name} is not an icon in the set. Choose a name from https://lucide.dev/icons for the icon of a subsite.`,
    );
  return icons[aliases[name]?.parent ?? name]!.body.replace(STROKE_ATTRIBUTES, '');
}
