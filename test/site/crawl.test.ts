import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readBuiltSite } from '../browser/template-pages.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';
import { findAttributeValues } from './built-html.ts';

/** Statuses of existing addresses; a form endpoint answers a GET with 405. */
const EXISTING_STATUSES = [200, 302, 303, 405];

describe.each(['mainBuild', 'fourBuild'] as const)('a crawler of %s over HTTP', (build) => {
  const outDir = inject(build);
  const { base } = readBuiltSite(outDir);
  let running: RunningService;

  beforeAll(async () => {
    running = await serveBuild(outDir);
  });
  afterAll(async () => {
    await running.stop();
  });

  /** URLs of this site in a document, relative and absolute. */
  const findLinks = (path: string, type: string, text: string): string[] => {
    const targets = type.startsWith('text/html')
      ? ['href', 'src', 'action'].flatMap((name) => findAttributeValues(text, name))
      : [...text.matchAll(/https?:\/\/[^\s"'<>()`\\\]]+/g)].map(([url]) =>
          url.replace(/[.,;:]+$/, ''),
        );
    return targets.flatMap((target) => {
      const url = URL.canParse(target, `${base}${path}`)
        ? new URL(target, `${base}${path}`)
        : undefined;
      return url?.origin === base && !/[{}<…]|%7B|%3C|%E2%80%A6/i.test(target)
        ? [url.pathname + url.search]
        : [];
    });
  };

  it('gets a response at every URL in pages, lists, and Markdown, and at every URL found there', async () => {
    const originByPath = new Map(
      ['/', '/sitemap.xml', '/llms.txt'].map((path) => [path, 'the start']),
    );
    const broken: string[] = [];
    for (const [path, origin] of originByPath) {
      const { status, headers, body } = await running.ask(path);
      const type = String(headers['content-type'] ?? '');
      if (!EXISTING_STATUSES.includes(status))
        broken.push(`${path} returned ${status}, linked from ${origin}`);
      if (typeof headers.location === 'string')
        for (const next of findLinks(path, 'text/plain', headers.location))
          if (!originByPath.has(next)) originByPath.set(next, path);
      if (status === 200 && /^text\/(?:html|markdown|plain)|xml/.test(type))
        for (const next of findLinks(path, type, body.toString()))
          if (!originByPath.has(next)) originByPath.set(next, path);
    }
    expect(broken).toEqual([]);
    const prerenderedPaths = readBuiltSite(outDir).registry.subsites.map(({ url }) => url);
    expect(prerenderedPaths.filter((url) => !originByPath.has(url))).toEqual([]);
  });
});
