import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestImage } from '../setup/test-image.ts';
import { runCommand } from '../setup/command.ts';

const registry = join(mkdtempSync(join(tmpdir(), 'frontage-images-')), 'registry');
const record = join(registry, 'subsites/archive.yaml');
const validRecord = readFileSync('test/fixtures/network-of-four/subsites/archive.yaml', 'utf8');

beforeAll(async () => {
  cpSync('test/fixtures/network-of-four', registry, { recursive: true });
  mkdirSync(join(registry, 'images/old'), { recursive: true });
  const shelves = await createTestImage(1200, 900);
  const files = {
    'shelves.jpg': shelves,
    'shelves.webp': await createTestImage(1600, 2000, 'webp'),
    'shelves.avif': await createTestImage(1200, 900, 'avif'),
    'old/shelves.png': await createTestImage(4000, 1000, 'png'),
    'small.jpg': await createTestImage(1199, 900),
    'flat.png': await createTestImage(1600, 899, 'png'),
    'text.jpg': Buffer.from('This is not an image.'),
    'cut.jpg': shelves.subarray(0, shelves.length / 4),
    'huge.jpg': await createTestImage(16000, 7000),
    'heavy.jpg': Buffer.alloc(20_100_000),
  };
  for (const [name, bytes] of Object.entries(files))
    writeFileSync(join(registry, 'images', name), bytes);
});
afterAll(() => rmSync(join(registry, '..'), { recursive: true }));

/** Output of `npm run check` for a record with an image. */
async function check(image: Record<string, string>): Promise<string> {
  const lines = Object.entries(image).map(
    ([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`,
  );
  writeFileSync(record, `${validRecord.trimEnd()}\nimage:\n${lines.join('')}`);
  const { code, stdout, stderr } = await runCommand('check', [registry]);
  expect(code).toBe(stderr ? 1 : 0);
  return (stderr || stdout).replaceAll(`${registry}/`, '');
}

const image = { file: 'images/shelves.jpg', alt: 'Shelves full of boxes', license: 'own' };

describe('an image in a record', () => {
  it.each(['shelves.jpg', 'shelves.webp', 'shelves.avif', 'old/shelves.png'])(
    'may be %s',
    async (name) => {
      expect(await check({ ...image, file: `images/${name}` })).toContain('no faults.');
    },
  );

  it('may be credited to a named person', async () => {
    expect(await check({ ...image, license: 'CC-BY-4.0', credit: 'A. Person' })).toContain(
      'no faults.',
    );
    expect(await check({ ...image, license: 'CC0-1.0' })).toContain('no faults.');
  });

  it('has all its faults reported at once', async () => {
    const output = await check({ file: 'images/small.jpg', alt: 'Small' });
    expect(output).toMatch(/image\.license: is missing\. /);
    expect(output).toMatch(/image\.alt: repeats the file name\. /);
    expect(output).toMatch(/^images\/small\.jpg:1:1 is 1199 by 900 pixels, /m);
    expect(output).toMatch(
      /^3 faults\. Some rules are checked only when every record can be read\.$/m,
    );
  });

  it.each<[what: string, change: Record<string, string>, says: RegExp]>([
    [
      'a missing file',
      { file: 'images/shelve.jpg' },
      /^subsites\/archive\.yaml:\d+:\d+ image\.file: names a file that is not in the registry folder\. Did you mean images\/shelves\.jpg\?$/m,
    ],
    [
      'a file outside the registry',
      { file: '../photo.jpg' },
      /image\.file: is not an image path\. Use images\/, then .*\.$/m,
    ],
    [
      'another kind of file',
      { file: 'images/text.jpg' },
      /^images\/text\.jpg:1:1 is damaged or not an image that browsers can show\. Save it as JPEG, PNG, WebP or AVIF, and upload it again\.$/m,
    ],
    [
      'a narrow picture',
      { file: 'images/small.jpg' },
      /^images\/small\.jpg:1:1 is 1199 by 900 pixels, which is too small\. Use an image of at least 1200 by 900 pixels\.$/m,
    ],
    ['a short picture', { file: 'images/flat.png' }, /is 1600 by 899 pixels, which is too small\./],
    [
      'too many pixels',
      { file: 'images/huge.jpg' },
      /^images\/huge\.jpg:1:1 is 16000 by 7000 pixels, which is too large\. Use an image of at most 100 million pixels, such as 10000 by 10000\.$/m,
    ],
    [
      'too many bytes',
      { file: 'images/heavy.jpg' },
      /^images\/heavy\.jpg:1:1 is 20\.1 MB, which is too large\. Use a file of at most 20 MB\.$/m,
    ],
    [
      'an interrupted upload',
      { file: 'images/cut.jpg' },
      /^images\/cut\.jpg:1:1 is cut off or damaged\. Upload it again\.$/m,
    ],
    [
      'the file name as text',
      { alt: 'Shelves.JPG' },
      /image\.alt: repeats the file name\. Describe what the image shows\.$/m,
    ],
    [
      'the file name without its extension',
      { alt: 'shelves' },
      /image\.alt: repeats the file name\./,
    ],
    ['no text', { alt: '' }, /image\.alt: is empty\./],
    [
      'an unknown license',
      { license: 'CC-BY-4' },
      /image\.license: expected one of own, CC0-1\.0, .*\. Did you mean CC-BY-4\.0\?$/m,
    ],
    [
      'a missing author',
      { license: 'CC-BY-SA-4.0' },
      /image\.license: requires credit\. Add the author’s name as credit\.$/m,
    ],
  ])('is invalid with %s', async (_, change, message) => {
    expect(await check({ ...image, ...change })).toMatch(message);
  });
});
