import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listInfoTools } from '../../src/site/registry.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { NETWORK_TOOLS } from '../../src/registry/rules/references.ts';

const registry = loadRegistry('registry');
const files = globSync(['src/**/*.{ts,astro,css}', 'db/**/*.ts']).sort();

/** Subsite names that are also ordinary words, with their meanings in the code. */
const ordinaryWords: Record<string, string> = {
  agent: 'the path /api/agent/{name}, and software agents',
  go: 'the path /go/{slug} of short links',
  video: 'a kind of adapter',
  leads: 'the operator’s command and the table',
  start: 'starting the server',
  results: 'a search result',
  tools: 'MCP tools',
  security: 'the key of network.yaml, and security.txt',
  tables: 'database tables',
  post: 'the HTTP method',
  live: 'an active hold',
  client: 'a calling program, and the client folder of the build',
  about: 'a property of schema.org',
  terms: 'terms of a lead',
  scan: 'a scan of the site',
  hub: 'a word in the interface',
  agents: 'the list of crawlers in network.yaml',
  search: 'a search',
};

/** String literals in source text; comments are ignored. */
const findLiterals = (code: string) =>
  [
    ...code
      .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
      .matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g),
  ].map((match) => match[2]!);

const names = registry.subsites
  .map((subsite) => subsite.name)
  .filter((name) => !Object.hasOwn(ordinaryWords, name));
const verbs = registry.subsites.flatMap((subsite) => subsite.actions.map((action) => action.verb));
const tools = listInfoTools(registry)
  .map((tool) => tool.name)
  .filter((name) => !(NETWORK_TOOLS as readonly string[]).includes(name));

describe('subsite names', () => {
  it('are almost all checked by this test', () => {
    expect(names.length).toBeGreaterThan(35);
  });

  it.each(files)(
    'do not occur in %s, and neither do action names and information tools',
    (file) => {
      const found = findLiterals(readFileSync(file, 'utf8')).filter(
        (literal) =>
          names.some(
            (name) => literal === name || literal === `/${name}` || literal.startsWith(`/${name}/`),
          ) || [...verbs, ...tools].some((word) => literal.includes(word)),
      );
      expect(found).toEqual([]);
    },
  );
});
