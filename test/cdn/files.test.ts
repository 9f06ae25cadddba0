import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { listPlacements } from '../../src/artifacts/index.ts';
import { MAX_RULES } from '../../src/build/cdn/headers-file.ts';
import { matchesPath, buildRules, hasStandardType } from '../../src/build/cdn/rules.ts';
import { createPolicyFinder } from '../../src/build/policies.ts';
import { listRedirects } from '../../src/build/redirects.ts';
import { listServedFiles } from '../../src/build/served-files.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { createLinkRelations, linksOf } from '../spec/link-relations.ts';

interface Block {
  pattern: RegExp;
  headers: [string, string][];
}

/** Matches a rule of `_headers`: a star matches any characters. */
function readHeadersFile(text: string): Block[] {
  return text.split(/\n\n/).map((block) => {
    const [pattern, ...lines] = block.trim().split('\n');
    return {
      pattern: new RegExp(
        `^${pattern!
          .split('*')
          .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}$`,
      ),
      headers: lines.map((line) => /^ {2}([\w-]+): (.*)$/.exec(line)!.slice(1) as [string, string]),
    };
  });
}

describe.each(['mainBuild', 'fourBuild'] as const)('the CDN files of %s', (build) => {
  const outDir = inject(build);
  const site = readBuiltSite(outDir);
  const clientDir = resolve(outDir, 'client');
  const files = listServedFiles(clientDir).map(createPolicyFinder(listPlacements(site), site));
  const rules = buildRules(files);
  const blocks = readHeadersFile(readFileSync(join(clientDir, '_headers'), 'utf8'));

  it('have no more rules than a CDN allows', () => {
    expect(blocks.length).toBe(rules.length + 1);
    expect(blocks.length).toBeLessThanOrEqual(MAX_RULES);
  });

  it('give every document its media type and headers exactly once', () => {
    for (const { path, policy } of files.filter(({ policy: { kind } }) => kind === 'document')) {
      const headers = blocks
        .filter(({ pattern }) => pattern.test(path))
        .flatMap((block) => block.headers);
      const names = headers.map(([name]) => name);
      expect(new Set(names).size, `${path}: ${names.join()}`).toBe(names.length);
      expect([path, Object.fromEntries(headers)]).toEqual([
        path,
        expect.objectContaining({ ...policy.headers, 'content-type': policy.mediaType }),
      ]);
    }
  });

  it('give pages the same headers as the server, except for the cache lifetime', () => {
    for (const { path, policy } of files.filter(({ policy: { kind } }) => kind === 'page')) {
      const headers = blocks
        .filter(({ pattern }) => pattern.test(path))
        .flatMap((block) => block.headers);
      const { 'cache-control': _, ...expected } = policy.headers;
      expect([path, Object.fromEntries(headers)]).toEqual([path, expected]);
    }
  });

  it('link pages, the full index, and the API catalog to the discovery documents', () => {
    for (const { path } of files.filter(
      ({ path, policy: { kind } }) =>
        kind === 'page' || ['/api/agent-index', '/.well-known/api-catalog'].includes(path),
    )) {
      const headers = blocks
        .filter(({ pattern }) => pattern.test(path))
        .flatMap((block) => block.headers)
        .filter(([name]) => name === 'link');
      expect([path, headers.map(([, link]) => linksOf(link))]).toEqual([
        path,
        [createLinkRelations(site)],
      ]);
    }
  });

  it('have a rule for every media type that the file extension does not imply', () => {
    for (const { path, policy } of files.filter(
      (file) => file.policy.kind !== 'page' && !hasStandardType(file),
    )) {
      expect([path, policy.mediaType]).toEqual([path, expect.not.stringContaining('octet-stream')]);
      const headers = blocks
        .filter(({ pattern }) => pattern.test(path))
        .flatMap((block) => block.headers);
      expect([path, headers.filter(([name]) => name === 'content-type')]).toEqual([
        path,
        [['content-type', policy.mediaType]],
      ]);
    }
  });

  it('have no rule without a file, and no file with two rules', () => {
    for (const { pattern } of rules)
      expect(
        files.some(({ path }) => matchesPath(pattern, path)),
        JSON.stringify(pattern),
      ).toBe(true);
    for (const { path } of files)
      expect(
        rules.filter(({ pattern }) => matchesPath(pattern, path)).length,
        path,
      ).toBeLessThanOrEqual(1);
  });

  it('redirect every short link and /contact', () => {
    const lines = readFileSync(join(clientDir, '_redirects'), 'utf8').trim().split('\n');
    for (const [path, target] of listRedirects(site.registry))
      expect(lines).toContain(`${path} ${target} 302`);
    expect(lines).toContain('/api/agent/:name include=data /api/agent/:name.data 200');
  });
});
