import { fileURLToPath } from 'node:url';
import { type Document, listDocuments } from '../../src/artifacts/index.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { pagesOfSite, type SitePage } from '../../src/site/pages-of-site.ts';
import type { Site } from '../../src/site/site.ts';

const folder = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A site with a fixed URL and build time, read from its folder. */
export function readSite(path: string): Site {
  return {
    registry: loadRegistry(folder(path)),
    base: 'https://network.example',
    generatedAt: '2026-11-06T20:40:00.000Z',
    dynamic: true,
  };
}

export interface Network {
  name: string;
  path: string;
  site: Site;
  /** Rendered documents by path. */
  documents: ReadonlyMap<string, Document>;
  pages: readonly SitePage[];
  /** The parsed value of a JSON document. */
  json(path: string): any;
  text(path: string): string;
}

function network(name: string, path: string): Network {
  const site = readSite(path);
  const byPath = new Map(listDocuments(site).map((document) => [document.path, document]));
  const text = (path: string) => {
    const document = byPath.get(path);
    if (!document) throw new Error(`${name} has no document at ${path}`);
    return document.body;
  };
  return {
    name,
    path,
    site,
    documents: byPath,
    pages: pagesOfSite(site),
    text,
    json: (path) => JSON.parse(text(path)),
  };
}

/** The main network of this project. */
export const main: Network = network('the main network', 'registry');

/** Both networks. Tests that do not depend on the content of a single network run on both. */
export const networks: readonly Network[] = [
  main,
  network('the network of four', 'test/fixtures/network-of-four'),
];
