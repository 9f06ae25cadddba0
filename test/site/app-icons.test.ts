import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { pageColors } from '../../src/components/frame/page-colors.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { readBuiltHtml } from './built-html.ts';

/** Width and height from a PNG header (w3.org/TR/png, IHDR). */
const sizeOf = (png: Buffer): string => {
  expect(png.toString('latin1', 1, 4)).toBe('PNG');
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
};

const tokens = readFileSync('src/styles/tokens.css', 'utf8');

describe.each(['mainBuild', 'fourBuild'] as const)('the web app manifest of %s', (build) => {
  const outDir = inject(build);
  const { registry } = readBuiltSite(outDir);
  const read = (path: string) => readFileSync(join(outDir, 'client', path));
  const manifest = JSON.parse(read('manifest.webmanifest').toString()) as {
    name: string;
    start_url: string;
    theme_color: string;
    background_color: string;
    icons: { src: string; sizes: string; type: string; purpose: string }[];
  };

  it('is linked from every page, with the icons', () => {
    const pagesWithoutLink = readBuiltHtml(outDir).filter(({ html }) =>
      [
        '<link rel="manifest" href="/manifest.webmanifest">',
        '<link rel="icon" href="/favicon.ico" sizes="32x32">',
        '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
        '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
      ].some((link) => !html.includes(link)),
    );
    expect(pagesWithoutLink.map(({ path }) => path)).toEqual([]);
  });

  it('has the network’s name, front page, and colors', () => {
    expect(manifest).toMatchObject({
      name: registry.network.name,
      start_url: '/',
      theme_color: pageColors.header.light,
      background_color: pageColors.ground.light,
    });
    for (const [token, { light, dark }] of [
      ['--shallow', pageColors.header],
      ['--deep', pageColors.ground],
    ] as const)
      expect(
        [...tokens.matchAll(new RegExp(`${token}: (#\\w+);`, 'g'))].map(([, color]) => color),
      ).toEqual([light, dark]);
  });

  it('lists exactly the existing icons, each with its size', () => {
    expect(manifest.icons.map(({ src }) => src.replace('/icons/', '')).sort()).toEqual(
      readdirSync(join(outDir, 'client/icons')).sort(),
    );
    for (const { src, sizes, type } of manifest.icons)
      expect([src, sizeOf(read(src)), type]).toEqual([src, sizes, 'image/png']);
    expect(manifest.icons.map(({ sizes, purpose }) => `${purpose} ${sizes}`)).toEqual([
      'any 192x192',
      'any 512x512',
      'maskable 192x192',
      'maskable 512x512',
    ]);
    expect(sizeOf(read('apple-touch-icon.png'))).toBe('180x180');
  });

  it('has a favicon in each size', () => {
    const ico = read('favicon.ico');
    const embeddedIcons = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
      const offset = 6 + index * 16;
      const dataStart = ico.readUInt32LE(offset + 12);
      return [
        ico[offset],
        sizeOf(ico.subarray(dataStart, dataStart + ico.readUInt32LE(offset + 8))),
      ];
    });
    expect(embeddedIcons).toEqual([
      [16, '16x16'],
      [32, '32x32'],
      [48, '48x48'],
    ]);
  });
});
