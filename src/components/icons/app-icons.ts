import { Resvg } from '@resvg/resvg-js';
import source from '../../../public/icon.svg?raw';

/** An icon in the web app manifest. */
export interface AppIcon {
  /** File name without `.png`. */
  name: string;
  /** Width and height in pixels. */
  size: number;
  /** A `maskable` icon fills its square so that a system can crop it to any shape. */
  purpose: 'any' | 'maskable';
}

/** Sizes that browsers need to install a site (web.dev, “Add a web app manifest”). */
export const appIcons: readonly AppIcon[] = [
  { name: '192', size: 192, purpose: 'any' },
  { name: '512', size: 512, purpose: 'any' },
  { name: 'maskable-192', size: 192, purpose: 'maskable' },
  { name: 'maskable-512', size: 512, purpose: 'maskable' },
];

/** Site-relative path of an icon. */
export const appIconPathOf = ({ name }: AppIcon): string => `/icons/${name}.png`;

/** The light accent color in src/styles/tokens.css, and the color of text on it. */
const ACCENT_COLOR = '#00636b';
const ON_ACCENT_COLOR = '#ffffff';

/**
 * Size of the mark in a maskable icon as a share of the icon’s side; systems may crop everything
 * outside a centered circle of 80 percent.
 */
const MASKABLE_FRACTION = 0.8;

/** Side length of the drawing in its own units. */
const VIEW_BOX_SIZE = 32;

const markPaths = /<symbol[^>]*>(.*)<\/symbol>/s.exec(source)![1]!;

/** The network’s mark as a PNG of `size` pixels on each side. */
export function drawAppIcon({
  size,
  purpose,
}: Pick<AppIcon, 'size' | 'purpose'>): Uint8Array<ArrayBuffer> {
  const inset = (VIEW_BOX_SIZE * (1 - MASKABLE_FRACTION)) / 2;
  const drawing =
    purpose === 'any'
      ? `<g color="${ACCENT_COLOR}">${markPaths}</g>`
      : `<rect width="${VIEW_BOX_SIZE}" height="${VIEW_BOX_SIZE}" fill="${ACCENT_COLOR}"/>` +
        `<g color="${ON_ACCENT_COLOR}" transform="translate(${inset} ${inset}) scale(${MASKABLE_FRACTION})">${markPaths}</g>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${VIEW_BOX_SIZE} ${VIEW_BOX_SIZE}">${drawing}</svg>`;
  return new Uint8Array(new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng());
}
