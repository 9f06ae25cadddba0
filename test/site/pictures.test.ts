import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { serveBuild } from '../server/serve-build.ts';
import { buildNetwork, copyBuild } from '../setup/built-networks.ts';
import { describeImage, createTestImage } from '../setup/test-image.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { findAttributeValues } from './built-html.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-pictures-'));
const registry = join(folder, 'registry');
const outDir = '.build/test-pictures';
let build: string;

beforeAll(async () => {
  cpSync('test/fixtures/network-of-four', registry, { recursive: true });
  mkdirSync(join(registry, 'images'));
  writeFileSync(join(registry, 'images/shelves.jpg'), await createTestImage(2000, 2000));
  const record = join(registry, 'subsites/archive.yaml');
  writeFileSync(
    record,
    `${readFileSync(record, 'utf8').trimEnd()}\nimage:\n  file: images/shelves.jpg\n  alt: Shelves full of boxes\n  credit: A. Person\n  license: CC-BY-4.0\n`,
  );
  copyBuild(inject('fourBuild'), outDir);
  build = await buildNetwork(registry, outDir);
}, 180_000);
afterAll(() => {
  for (const path of [folder, outDir]) rmSync(path, { recursive: true, force: true });
});

const readPage = () => {
  const { registry: built, base } = readBuiltSite(build);
  const { url } = built.subsites.find(({ image }) => image)!;
  return { html: readFileSync(join(build, 'client', `${url}.html`), 'utf8'), url, base };
};

describe('the image files of a record', () => {
  it('have the sizes and formats that the page names', async () => {
    const { html } = readPage();
    const srcsetEntries = findAttributeValues(html, 'srcset').flatMap((set) => set.split(', '));
    expect(srcsetEntries).toHaveLength(4);
    for (const image of srcsetEntries) {
      const [path, width] = image.split(' ');
      const found = await describeImage(readFileSync(join(build, 'client', path!)));
      expect(found).toEqual({
        format: path!.endsWith('.avif') ? 'heif' : 'webp',
        width: Number.parseInt(width!),
        height: (Number.parseInt(width!) * 3) / 4,
      });
    }
    const fallbackPath = findAttributeValues(html, 'src').find((path) =>
      path.startsWith('/pictures/'),
    )!;
    expect(await describeImage(readFileSync(join(build, 'client', fallbackPath)))).toEqual({
      format: 'jpeg',
      width: 960,
      height: 720,
    });
  });

  it('have their alt text, credit, and license on the page', () => {
    const { html } = readPage();
    expect(html).toContain('alt="Shelves full of boxes"');
    expect(html).toContain('Photo: A. Person, CC-BY-4.0');
  });

  it('are named in structured data and in link previews', async () => {
    const { html, base } = readPage();
    expect(html).toContain(`"image":"${base}/pictures/shelves-jpg-960x720.jpg"`);
    const sharedImageUrl = /<meta property="og:image" content="([^"]*)"/.exec(html)![1]!;
    expect(
      await describeImage(readFileSync(join(build, 'client', sharedImageUrl.slice(base.length)))),
    ).toEqual({ format: 'jpeg', width: 1200, height: 630 });
  });

  it('are served with the right type, and no other images are generated on request', async () => {
    const running = await serveBuild(build);
    try {
      const avif = await running.ask('/pictures/shelves-jpg-480x360.avif');
      expect([avif.status, avif.headers['content-type']]).toEqual([200, 'image/avif']);
      expect((await running.ask('/pictures/shelves-jpg-481x360.avif')).status).toBe(404);
      expect(
        (await running.ask('/_image?href=/pictures/shelves-jpg-480x360.avif&w=9')).status,
      ).toBe(404);
    } finally {
      await running.stop();
    }
    expect(existsSync(join(build, 'client/images'))).toBe(false);
  });
});
