import nodes from 'lucide-static/icon-nodes.json' with { type: 'json' };

type IconNode = readonly [tag: string, attributes: Readonly<Record<string, string>>];

const drawings = nodes as unknown as Readonly<Record<string, readonly IconNode[]>>;

/** Names of all icons of the set. */
export const iconNames: ReadonlySet<string> = new Set(Object.keys(drawings));

const element = ([tag, attributes]: IconNode) =>
  `<${tag} ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')}/>`;

/**
 * SVG elements of an icon on its field of 24 by 24, to be stroked.
 * @throws where the icon set (Lucide) has none of that name.
 */
export function iconDrawing(name: string): string {
  const icon = drawings[name];
  if (!icon)
    throw new Error(
      `${name} is no icon of the set. Choose a name from https://lucide.dev/icons for the icon of a subsite.`,
    );
  return icon.map(element).join('');
}
