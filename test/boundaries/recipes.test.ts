import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCheckout } from '../setup/checkout.ts';

/** A recipe from CONTRIBUTING: commands, files to create and lists to extend. */
interface Recipe {
  commands: string[];
  files: { path: string; text: string }[];
  lists: { path: string; lines: string[] }[];
}

/**
 * Reads a recipe under a heading in CONTRIBUTING. The first line of each block names its file: `//
 * path` or `# path`.
 */
function readRecipe(heading: string): Recipe {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  const [, section] = new RegExp(`\n### ${heading}\n([\\s\\S]*?)(?=\n###? )`).exec(text)!;
  const blocks = (language: string) =>
    [...section!.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
      ([, block]) => block!,
    );
  const splitPath = (block: string) => {
    const [, path, rest] = /^(?:\/\/|#) (\S+)\n([\s\S]*)$/.exec(block)!;
    return { path: path!, text: rest! };
  };
  return {
    commands: blocks('sh').flatMap((block) => block.trim().split('\n')),
    files: blocks('ts').map(splitPath),
    lists: blocks('diff')
      .map(splitPath)
      .map(({ path, text: lines }) => ({ path, lines: lines.trimEnd().split('\n') })),
  };
}

/**
 * Puts each added line of a diff in place of the removed line before it, or else after its last
 * context line. Removed and context lines must occur exactly once in the file.
 */
function insertLines(file: string, lines: readonly string[]): void {
  let text = readFileSync(file, 'utf8');
  let previousLine = '';
  let wasPreviousLineRemoved = false;
  for (const line of lines) {
    const content = line.slice(1);
    if (line.startsWith('+')) {
      const before = wasPreviousLineRemoved ? '' : `${previousLine}\n`;
      text = text.replace(`\n${previousLine}\n`, () => `\n${before}${content}\n`);
    } else {
      expect(text.split(`\n${content}\n`), `${file}: ${content}`).toHaveLength(2);
    }
    wasPreviousLineRemoved = line.startsWith('-');
    previousLine = content;
  }
  writeFileSync(file, text);
}

const newSubsiteFile = 'registry/subsites/gutter-cleaning.yaml';

/** Replaces each placeholder with the number that it suggests, or with text if it suggests none. */
function fillPlaceholders(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/<[^<>]+>/g, (found) => /such as (\d+)/.exec(found)?.[1] ?? 'Two clean gutters.'),
  );
}

/** Prints what the copy builds and returns; runs in the copy. */
const REPORT_SCRIPT = `
import { openDatabase } from './db/index.ts';
import { listDocuments, listPlacements } from './src/artifacts/index.ts';
import { createPolicyFinder } from './src/build/policies.ts';
import { createApp } from './src/http/app.ts';
import { loadRegistry } from './src/registry/index.ts';
import { lang, locale } from './src/language.ts';
import { createContext } from './src/server/create-context.ts';
import * as spanish from './src/text/es/index.ts';
import * as text from './src/text/index.ts';

const site = {
  registry: loadRegistry('registry'),
  base: 'https://network.example',
  generatedAt: new Date().toISOString(),
  dynamic: true,
};
const database = await openDatabase({ url: 'file:./recipes.db' });
const log = { info() {}, warn() {}, error: console.error };
const app = createApp({
  context: createContext({ site, database, log }),
  checkRateLimit: async () => ({ headers: {} }),
  render: async () => '',
  checkHealth: async () => ({}),
  respondToUnknownPage: () => new Response('', { status: 404 }),
});
const ask = (method) => app.request(site.base + '/api/links', { method }, {});
const links = await ask('GET');
console.log(
  JSON.stringify({
    documents: Object.fromEntries(listDocuments(site).map(({ path, body }) => [path, String(body)])),
    policy: createPolicyFinder(listPlacements(site), site)('/humans.txt').policy,
    text: { lang, locale, catalog: text.frame === spanish.frame },
    links: { status: links.status, body: await links.json(), post: (await ask('POST')).status },
  }),
);
await database.close();
`;

describe('the recipes in CONTRIBUTING, on a copy of the repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-recipes-'));
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}` },
      maxBuffer: 64 * 1024 * 1024,
    });
  let report: {
    documents: Record<string, string>;
    policy: { kind: string; mediaType: string };
    text: { lang: string; locale: string; catalog: boolean };
    links: { status: number; body: { links: unknown[] }; post: number };
  };

  beforeAll(() => {
    makeCheckout(folder);
    for (const heading of [
      'Add a subsite',
      'Add a document',
      'Add an operation',
      'Add a language',
    ]) {
      const { commands, files, lists } = readRecipe(heading);
      expect(commands.length + files.length, heading).toBeGreaterThan(0);
      for (const command of commands) {
        run('sh', '-c', command);
        if (command.includes(' new ')) fillPlaceholders(join(folder, newSubsiteFile));
      }
      for (const { path, text } of files) writeFileSync(join(folder, path), text);
      for (const { path, lines } of lists) insertLines(join(folder, path), lines);
    }
    writeFileSync(join(folder, 'report.ts'), REPORT_SCRIPT);
    report = JSON.parse(run(process.execPath, 'report.ts')) as typeof report;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const openapi = () =>
    JSON.parse(report.documents['/api/openapi.json']!) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };

  it('list the new subsite and give it a manifest and a page', () => {
    expect(report.documents['/api/agent-index']).toContain('"gutter-cleaning"');
    expect(JSON.parse(report.documents['/api/agent/gutter-cleaning']!)).toMatchObject({
      name: 'gutter-cleaning',
    });
    expect(report.documents['/gutter-cleaning.md']).toMatch(/^---\ntitle: /);
  });

  it('select the new language', () => {
    expect(report.text).toEqual({ lang: 'es', locale: 'es-US', catalog: true });
  });

  it('serve the new document with its media type, and list it', () => {
    expect(report.documents['/humans.txt']).toMatch(/^\S.*\n$/);
    expect(report.policy).toMatchObject({
      kind: 'document',
      mediaType: 'text/plain; charset=utf-8',
    });
    expect(openapi().paths['/humans.txt']).toMatchObject({ get: { operationId: 'readHumans' } });
  });

  it('route only the method of the new operation, and describe it', () => {
    expect(report.links).toMatchObject({ status: 200, post: 405 });
    expect(report.links.body.links.length).toBeGreaterThan(0);
    expect(openapi().paths['/api/links']).toMatchObject({
      get: { operationId: 'listCuratedLinks' },
    });
  });
});
