import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listServedFiles } from '../../src/build/served-files.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { buildNetwork } from '../setup/built-networks.ts';
import { createServerAddressPatterns } from '../spec/server-addresses.ts';
import { readBuiltHtml } from './built-html.ts';

const parentDir = '.build/test-documents-alone';
const outDir = join(parentDir, 'current');
const base = 'https://documents.example';
beforeAll(async () => {
  await buildNetwork('test/fixtures/network-of-four', parentDir, { DYNAMIC: '0', SITE_URL: base });
});

describe('a build of documents only', () => {
  it('has no form that posts, and no URL that needs a server', () => {
    const patterns = [
      ...createServerAddressPatterns(readBuiltSite(outDir)),
      /\bPOST\b/,
      /method="post"/i,
    ];
    // A problem page describes server responses, and disallowed paths in robots.txt do not offer
    // anything.
    const pages = readBuiltHtml(outDir)
      .filter(({ path }) => !path.startsWith('/problems/'))
      .map(({ path, html }) => ({ path, text: html.replaceAll(/Disallow: \S*/g, '') }));
    const found = pages.flatMap(({ path, text }) =>
      patterns.filter((pattern) => pattern.test(text)).map((pattern) => `${path}: ${pattern}`),
    );
    expect(pages.length).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });

  it('contains no address of this machine', () => {
    const text = /\.(?:html|md|txt|json|xml|[^.]*)$/;
    const files = listServedFiles(join(outDir, 'client')).filter((name) => text.test(name));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect([
        file,
        /\blocalhost\b|127\.0\.0\.1/.exec(readFileSync(join(outDir, 'client', file), 'utf8'))?.[0],
      ]).toEqual([file, undefined]);
  });
});
