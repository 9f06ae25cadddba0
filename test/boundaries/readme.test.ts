import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const readme = readFileSync('README.md', 'utf8');
const scripts = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts,
);
const settings = [
  ...readFileSync('src/settings.ts', 'utf8').matchAll(/\bname: '([A-Z0-9_]+)'/g),
].map((match) => match[1]!);

describe('the README', () => {
  it('begins with what it is and the two commands', () => {
    expect(readme).toMatch(
      /^# Frontage\n\n[\s\S]{100,900}```sh\nnpm ci && npm start\n```[\s\S]{1,200}```sh\nnpm ci && npm test\n```/,
    );
  });

  it('names every setting, and no other', () => {
    const table = readme.slice(readme.indexOf('### Settings'), readme.indexOf('## Work on it'));
    const named = [...table.matchAll(/^\| ((?:`[A-Z0-9_]+`(?:, )?)+) \|/gm)].flatMap((row) =>
      [...row[1]!.matchAll(/[A-Z0-9_]+/g)].map(([name]) => name),
    );
    expect(named.sort()).toEqual([...settings].sort());
  });

  it('leaves the folders of src to CONTRIBUTING.md, which names every one and no other', () => {
    const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
    const rows = contributing
      .slice(contributing.indexOf('## Where things are'), contributing.indexOf('`test/boundaries`'))
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

  it('has npm be silent wherever a program reads on', () => {
    expect(readme.match(/npm run (?!-s )[^`\n]*(?:--json|\|).*/g) ?? []).toEqual([]);
  });

  it('tells of no npm script that does not exist', () => {
    const named = [...readme.matchAll(/npm run (?:-s )?(\w[\w:-]*)/g)].map((match) => match[1]!);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });
});
