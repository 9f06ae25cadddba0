import { Resvg } from '@resvg/resvg-js';
import satori, { type Font } from 'satori';
import { renderIcon } from '../icons/icon-drawing.ts';
import { createIslandRings } from '../shapes.ts';
import type { SocialImage } from './choice.ts';

/** Width and height in pixels of Open Graph images. */
const IMAGE_SIZE = { width: 1200, height: 630 };

/** The colors of the light theme in src/styles/tokens.css; an image has no dark variant. */
const colors = {
  shallow: '#deedf2',
  shoal: '#c2dde7',
  contour: '#9cc3d2',
  land: '#f7ecd1',
  edge: '#d3b97a',
  ink: '#10242d',
  muted: '#465e69',
} as const;
const accents = { product: '#00636b', marketing: '#9c1658', misc: '#765200' } as const;

/** Version of the drawing code; part of an image's cache key. */
export const DRAWING_VERSION = 2;

const createBox = (style: Record<string, unknown>, children: unknown) => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children },
});

/**
 * Length at which a title starts to take three lines, leaving one line fewer for the text below.
 */
const LONG_TITLE_LENGTH = 25;

const titleFontSizeOf = ({ length }: string) =>
  length > 48 ? 54 : length >= LONG_TITLE_LENGTH ? 64 : length > 20 ? 80 : 92;

function createTextBox({ title, text, kind, fact, network }: SocialImage, accent: string) {
  return createBox(
    {
      width: IMAGE_SIZE.width,
      height: IMAGE_SIZE.height,
      padding: '72px 80px',
      flexDirection: 'column',
      fontFamily: 'Bricolage Grotesque',
      color: colors.ink,
    },
    [
      createBox({ fontSize: 30, fontWeight: 500, color: accent }, kind),
      createBox(
        {
          fontSize: titleFontSizeOf(title),
          fontWeight: 800,
          letterSpacing: '-0.03em',
          lineHeight: 1.02,
          marginTop: 20,
          width: 660,
          textWrap: 'balance',
          lineClamp: 3,
        },
        title,
      ),
      createBox(
        {
          fontSize: 31,
          fontWeight: 500,
          lineHeight: 1.35,
          color: colors.muted,
          marginTop: 26,
          width: 640,
          lineClamp: title.length >= LONG_TITLE_LENGTH ? 3 : 4,
        },
        text,
      ),
      createBox(
        {
          position: 'absolute',
          left: 80,
          bottom: 64,
          gap: 28,
          fontSize: 36,
          fontWeight: 800,
          letterSpacing: '-0.02em',
        },
        [createBox({}, network), ...(fact ? [createBox({ color: accent }, fact)] : [])],
      ),
    ],
  );
}

function drawChart({ name, seed = name, icon }: SocialImage, accent: string): string {
  const [shore, ...depths] = createIslandRings(seed, {
    x: 940,
    y: 300,
    radius: 132,
    step: 42,
    count: 6,
  });
  const rings = depths
    .reverse()
    .map(
      (path) =>
        `<path d="${path}" fill="${colors.shoal}" fill-opacity=".28" stroke="${colors.contour}" stroke-opacity=".6"/>`,
    );
  return `<rect width="1200" height="630" fill="${colors.shallow}"/>${rings.join('')}<path d="${shore}" fill="${colors.land}" stroke="${colors.edge}" stroke-width="2.5"/>
<g transform="translate(880 240) scale(5)" fill="none" stroke="${accent}" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">${renderIcon(icon)}</g>`;
}

/** The PNG of an image. */
export async function drawSocialImage(image: SocialImage, fonts: Font[]): Promise<Buffer> {
  const accent = accents[image.category ?? 'product'];
  const text = await satori(createTextBox(image, accent), { ...IMAGE_SIZE, fonts });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">${drawChart(image, accent)}${text}</svg>`;
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
}
