import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { listPlacements } from '../../src/artifacts/index.ts';
import { buildFileNames } from '../../src/build/arena.ts';
import { computePageKey } from '../../src/components/page-key.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import type { Site } from '../../src/site/site.ts';
import { BUILD_EPOCH, copyBuild, copyProgram } from '../setup/built-networks.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-rebuild-'));
const registry = join(folder, 'registry');
const outDir = '.build/test-rebuild';

/** Files under `client` that a build rendered and files that it reused, according to its log. */
interface BuildResult {
  rendered: string[];
  keptFiles: string[];
}

function build(): BuildResult {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['src/cli/build.ts', '--verbose'],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        REGISTRY_DIR: registry,
        OUT_DIR: outDir,
        SOURCE_DATE_EPOCH: BUILD_EPOCH,
        ASTRO_TELEMETRY_DISABLED: '1',
      },
    },
  );
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
  // Astro colors its log in a terminal and if CI or FORCE_COLOR is set.
  const lines = [
    ...stripVTControlCharacters(stdout).matchAll(
      /├─ (\/\S*?)(?=\s|\d\d:)(?: \((cached|restored))?/g,
    ),
  ];
  if (lines.length === 0) throw new Error(`The build’s log names no file:\n${stdout}`);
  const listFiles = (isReused: boolean) =>
    lines
      .filter(([, , reuseMark]) => (reuseMark !== undefined) === isReused)
      .map(([, file]) => file!)
      .sort();
  return { rendered: listFiles(false), keptFiles: listFiles(true) };
}

const edit = (file: string, from: string, to: string) => {
  const text = readFileSync(join(registry, file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not contain “${from}”.`);
  writeFileSync(join(registry, file), text.replace(from, to));
};

/**
 * Hashes of all served files, by path, without the page renderer, which contains the path of its
 * build.
 */
function hashServedFiles(): Map<string, string> {
  const release = realpathSync(join(outDir, 'current'));
  const files = readdirSync(release, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files
    .map((entry) => join(entry.parentPath, entry.name).slice(release.length))
    .filter((path) => !path.startsWith('/server/') && path !== '/stamp.json');
  const readBytes = (path: string) => readFileSync(release + path);
  return new Map(
    paths
      .sort()
      .map((path) => [path, createHash('sha256').update(readBytes(path)).digest('base64url')]),
  );
}

/** Folder of the current release’s page renderer. */
const findRenderer = () => realpathSync(join(outDir, 'current/server'));

const removeOutput = () => rmSync(outDir, { recursive: true, force: true });

/** Keys of the cached pages and documents by file: a file with the same key is not rendered again. */
function listCacheKeys(): Map<string, string> {
  const site: Site = {
    registry: loadRegistry(registry),
    base: 'http://localhost:4321',
    generatedAt: new Date(Number(BUILD_EPOCH) * 1000).toISOString(),
    dynamic: true,
  };
  const pageKeys = pagesOfSite(site).map(
    (page) => [`${page.path}.html`, computePageKey(site, page)] as const,
  );
  const documentKeys = listPlacements(site).flatMap(({ artifact, key, path, aliases }) =>
    [path, ...aliases].map((file) => [file, artifact.digest?.(key, site)] as const),
  );
  return new Map(
    [...pageKeys, ...documentKeys].flatMap(([file, key]) =>
      key === undefined ? [] : [[file, key]],
    ),
  );
}

describe('a second build', () => {
  beforeAll(() => {
    removeOutput();
    copyProgram(outDir);
    cpSync('test/fixtures/network-of-four', registry, { recursive: true });
    // All tests share the first build of this network.
    copyBuild(inject('fourBuild'), outDir);
  });
  afterAll(() => {
    removeOutput();
    rmSync(folder, { recursive: true, force: true });
  });

  it('renders only what an edit affects, and reuses every other cached page and document', () => {
    const keysBefore = listCacheKeys();
    const hashesBefore = hashServedFiles();
    edit('subsites/seeds.yaml', 'purpose: ', 'purpose: Edited. ');
    const { rendered, keptFiles } = build();
    const unchangedFiles = [...listCacheKeys()]
      .filter(([file, key]) => keysBefore.get(file) === key)
      .map(([file]) => file);
    expect(keptFiles.filter((file) => !file.startsWith('/og/'))).toEqual(unchangedFiles.sort());
    const hashesAfter = hashServedFiles();
    const readHashes = (hashes: Map<string, string>) =>
      keptFiles.map((file) => [file, hashes.get(`/client${file}`)]);
    expect(readHashes(hashesAfter)).toEqual(readHashes(hashesBefore));
    const belongsTo = (name: string) => (file: string) =>
      new RegExp(`/${name}(?:[./]|$)`).test(file);
    expect(rendered.filter(belongsTo('seeds'))).toEqual(
      expect.arrayContaining([
        '/seeds.html',
        '/seeds.md',
        '/api/agent/seeds',
        '/api/agent/seeds.data',
      ]),
    );
    expect(rendered.filter((file) => belongsTo('archive')(file) || belongsTo('bus')(file))).toEqual(
      [],
    );
    expect(keptFiles).toEqual(
      expect.arrayContaining([
        '/bus.html',
        '/bus.md',
        '/api/agent/bus',
        '/bus/lost-books.html',
        '/archive.html',
        '/house-rules.html',
      ]),
    );
  });

  it('has the same output as a clean build after edits to every kind of record, and starts clean after an interrupted build', () => {
    edit('subsites/bus.yaml', 'title: The Book Bus', 'title: The Bus of Books');
    edit('catalog/reading-room.yaml', 'title: ', 'title: Other ');
    edit('pages/house-rules.md', 'title: ', 'title: Our ');
    edit('pages/bus/lost-books.md', '\n---\n', '\n---\nAn edit.\n');
    rmSync(join(registry, 'links.yaml'));
    const renderer = findRenderer();
    const { rendered, keptFiles } = build();
    // A server keeps every renderer that it has loaded, so an edit must not add a new one.
    expect(findRenderer()).toBe(renderer);
    expect(rendered).toContain('/bus/lost-books.html');
    expect(keptFiles).not.toEqual([]);
    const hashesBefore = hashServedFiles();
    // After an interrupted build without its cached bodies, nothing can be reused.
    rmSync(join(outDir, 'cache/complete'));
    rmSync(join(outDir, 'current', buildFileNames.index));
    const cleanBuild = build();
    expect(cleanBuild.keptFiles).toEqual([]);
    expect([...keptFiles, ...rendered].sort()).toEqual(cleanBuild.rendered);
    expect(hashServedFiles()).toEqual(hashesBefore);
    expect(existsSync(join(outDir, 'current/stamp.json'))).toBe(true);
  });
});
