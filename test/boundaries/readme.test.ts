import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const readme = readFileSync('README.md', 'utf8');
const scripts = Object.keys((JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts);
const settings = [...readFileSync('src/settings.ts', 'utf8').matchAll(/\bname: '([A-Z_]+)'/g)].map((match) => match[1]!);

describe('the README', () => {
  it('begins with what it is and the two commands', () => {
    expect(readme).toMatch(/^# Frontage\n\n[\s\S]{100,900}```sh\nnpm ci && npm start\n```[\s\S]{1,200}```sh\nnpm ci && npm test\n```/);
  });

  it('names every setting, and no other', () => {
    const table = readme.slice(readme.indexOf('### Settings'), readme.indexOf('## Work on it'));
    const named = [...table.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].flatMap((row) => [...row[1]!.matchAll(/[A-Z_]+/g)].map(([name]) => name));
    expect(named.sort()).toEqual([...settings].sort());
  });

  it('names every room of src, and no other', () => {
    const work = readme.slice(readme.indexOf('## Work on it'));
    const sentence = /`src\/` has a room for each noun: ([\s\S]*?); `db` is/.exec(work)![1]!;
    expect([...sentence.matchAll(/`(\w+)`/g)].map(([, room]) => room).sort()).toEqual(readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort());
  });

  it('has npm be silent wherever a program reads on', () => {
    expect(readme.match(/npm run (?!-s )[^`\n]*(?:--json|\|).*/g) ?? []).toEqual([]);
  });

  it('tells of no npm script that does not exist', () => {
    const named = [...readme.matchAll(/npm run (?:-s )?(\w[\w:-]*)/g)].map((match) => match[1]!);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });
});
