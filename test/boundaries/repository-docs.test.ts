import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingNames } from '../../src/settings.ts';
import { toHeadingAnchor } from '../../src/site/heading-anchor.ts';

const files = ['README.md', '.github/OPERATING.md', 'CONTRIBUTING.md', 'CHANGELOG.md'] as const;
const [readme, operatingGuide, contributingGuide] = files.map((file) => readFileSync(file, 'utf8'));
const scripts = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts,
);

/** Links in Markdown to repository files, with the heading that they target. */
const linksOf = (file: string): { file: string; heading: string | undefined }[] =>
  [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(
    ([, target, heading]) => ({
      file: target ? join(dirname(file), target) : file,
      heading,
    }),
  );

describe('the README', () => {
  it('starts with what Frontage is and the two commands', () => {
    expect(readme).toMatch(
      /^# Frontage\n\n[\s\S]{100,900}```sh\nnpm ci && npm start\n```[\s\S]{1,200}```sh\nnpm ci && npm test\n```/,
    );
  });

  it('has fewer than 150 lines', () => {
    expect(readme!.split('\n').length).toBeLessThan(150);
  });
});

it('the settings table has exactly one row per setting', () => {
  const [, table] = /\n## Settings\n([\s\S]*?)(?:\n## |$)/.exec(operatingGuide!)!;
  const named = [...table!.matchAll(/^\| ((?:`[A-Z0-9_]+`(?:, )?)+) \|/gm)].flatMap((row) =>
    [...row[1]!.matchAll(/[A-Z0-9_]+/g)].map(([name]) => name),
  );
  expect(named.sort()).toEqual(settingNames.toSorted());
});

it('the CONTRIBUTING tour has exactly one row per folder of src', () => {
  const rows = contributingGuide!
    .slice(
      contributingGuide!.indexOf('## Where things are'),
      contributingGuide!.indexOf('`test/boundaries`'),
    )
    .split('\n')
    .filter((line) => line.startsWith('| `src/'));
  const folders = rows.flatMap((row) =>
    [...row.split('|')[1]!.matchAll(/`(?:src\/)?(\w+)\/`/g)].map(([, folder]) => folder),
  );
  expect(folders.sort()).toEqual(
    readdirSync('src', { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  );
});

describe.each(files)('%s', (file) => {
  const text = readFileSync(file, 'utf8');

  it('silences npm wherever a program reads the output', () => {
    expect(text.match(/npm run (?!-s )[^`\n]*(?: --json|\|).*/g) ?? []).toEqual([]);
  });

  it('names only existing npm scripts', () => {
    const named = [...text.matchAll(/npm run (?:-s )?(\w[\w:-]*)/g)].map((match) => match[1]!);
    const removedScripts = file === 'CHANGELOG.md' ? ['precompress'] : [];
    expect(
      named.filter((name) => !scripts.includes(name) && !removedScripts.includes(name)),
    ).toEqual([]);
  });

  it('links only to existing files and headings', () => {
    const missing = linksOf(file).filter(({ file: target, heading }) => {
      if (heading === undefined) return !readFileSync(target).length;
      const headings = readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm);
      return ![...headings].some(([, title]) => toHeadingAnchor(title!) === heading);
    });
    expect(missing).toEqual([]);
  });
});
