import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listPlacements } from '../../src/artifacts/index.ts';
import { sitemap } from '../../src/artifacts/sitemap.xml.ts';
import type { Context } from '../../src/operation/context.ts';
import { readRegistry } from '../../src/registry/read.ts';
import { RegistryError } from '../../src/registry/fault.ts';
import { listPathClaims } from '../../src/registry/rules/addresses.ts';
import {
  isServicePath,
  SERVICE_PATH_PATTERNS,
  compilePathPatterns,
} from '../../src/site/developer/service-paths.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import type { Site } from '../../src/site/site.ts';
import { networks } from '../artifacts/networks.ts';
import { createTestApp } from '../transports/setup/send.ts';
import { type EditableRecord, createSampleFiles, toSources } from './sample-registry.ts';

type Files = Record<string, EditableRecord>;

const stripParameters = (path: string) => path.replace(/[[{](?:\.\.\.)?(\w+)[\]}]/g, '$1');

/**
 * URL paths of Astro’s pages, without catch-all pages such as `[...page]`, whose paths come from
 * records and artifacts.
 */
const astroPages = globSync('src/pages/**/[!_]*.{ts,astro}')
  .map((file) => file.replace(/^src\/pages|\.(?:ts|astro)$/g, '').replace(/\/index$/, ''))
  .filter((path) => !/^\/\[\.{3}\w+\]$/.test(path))
  .map(stripParameters);

/** URL paths of the app’s routes, with parameters as `:name`. */
const routesOf = (site: Site) =>
  createTestApp({ context: { site } as Context })
    .routes.map(({ path }) => path.replace(/\{[^}]*\}/g, '').replace(/:(\w+)/g, '$1'))
    .filter((path) => !path.includes('*'));

/** URL paths that only Astro generates. */
const astroAddresses = ['/_astro/page.css'];

const receiptKey = { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'key' } as const;

/** All URL paths of a network that signs receipts, which has one more page than others. */
const addressesOf = ({ site: unsignedSite }: (typeof networks)[number]) => {
  const site = { ...unsignedSite, receiptKey };
  return [
    ...listPlacements(site).flatMap(({ path, aliases }) => [path, ...aliases]),
    ...pagesOfSite(site).map(({ path }) => path),
    ...globSync('public/*').map((file) => file.replace('public', '')),
    ...sitemap.paths({ part: 1 }, site),
    ...astroPages,
    ...routesOf(site),
    ...astroAddresses,
  ];
};

describe('a network’s addresses', () => {
  it.each(networks)('come only from its records and from the service: $name', (network) => {
    const claimedAddresses = new Set(
      [...listPathClaims(network.site.registry)].flatMap(({ address, isPage }) =>
        isPage ? [address, `${address}.md`] : [address],
      ),
    );
    expect(
      addressesOf(network).filter(
        (address) => !claimedAddresses.has(address) && !isServicePath(address),
      ),
    ).toEqual([]);
  });

  it.each(networks)('are all routed: $name', (network) => {
    const answeredPaths = addressesOf(network);
    const answeredAddresses = new Set(answeredPaths);
    expect(
      [...listPathClaims(network.site.registry)].filter(
        ({ address }) => !answeredAddresses.has(address),
      ),
    ).toEqual([]);
    for (const address of SERVICE_PATH_PATTERNS)
      expect(
        answeredPaths.filter((each) => compilePathPatterns(address).test(each)),
        address,
      ).not.toEqual([]);
  });
});

const createPage = (body = 'Text.'): EditableRecord => ({
  title: 'Page',
  description: 'Page.',
  updated: '2026-01-02',
  body,
});
const linesOf = (files: Files) => files['subsites/lines.yaml']!;
const addSnapshot = (files: Files, path: string) => {
  linesOf(files).jsonEndpoints.push(path);
  linesOf(files).snapshots.push({ path, title: 'More', description: 'More.', data: {} });
};

/** Ways to claim a path that is already taken, and where the fault is reported. */
const collisions: [
  what: string,
  make: (files: Files) => void,
  file: string,
  path: string,
  taker: string,
][] = [
  [
    'a page with the path of an endpoint',
    (files) => (files['pages/healthz.md'] = createPage()),
    'pages/healthz.md',
    '',
    'the service',
  ],
  [
    'a page with the path of an API operation',
    (files) => (files['pages/api/share.md'] = createPage()),
    'pages/api/share.md',
    '',
    'the service',
  ],
  [
    'a page below /api',
    (files) => (files['pages/api/moon.md'] = createPage()),
    'pages/api/moon.md',
    '',
    'the service',
  ],
  [
    'a page with the path of a document',
    (files) => (files['pages/llms.txt.md'] = createPage()),
    'pages/llms.txt.md',
    '',
    'the service',
  ],
  [
    'a page with the path of a subsite',
    (files) => (files['pages/kites.md'] = createPage()),
    'pages/kites.md',
    '',
    'url of subsites/kites',
  ],
  [
    'a page with the path of the API reference',
    (files) => (files['pages/agents/api.md'] = createPage()),
    'pages/agents/api.md',
    '',
    'agentArea of network/network',
  ],
  [
    'a page with the path of a capability',
    (files) => (files['pages/agents/kites.help.md'] = createPage()),
    'pages/agents/kites.help.md',
    '',
    'capabilities of subsites/kites',
  ],
  [
    'a page with the path of another page’s Markdown',
    (files) => (files['pages/kites.md.md'] = createPage()),
    'pages/kites.md.md',
    '',
    'Markdown version of url of subsites/kites',
  ],
  [
    'a subsite at the root',
    (files) => (linesOf(files).url = '/'),
    'subsites/lines.yaml',
    'url',
    'leads to /, which the front page (pages/index) already uses. Choose another, such as /lines.',
  ],
  [
    'a subsite below /api',
    (files) => (linesOf(files).url = '/api/lines'),
    'subsites/lines.yaml',
    'url',
    'the service',
  ],
  [
    'a subsite with the path of the agent services area',
    (files) => (files['network.yaml']!.agentArea = '/lines'),
    'network.yaml',
    'agentArea',
    'url of subsites/lines',
  ],
  [
    'an agent services area with the path of the front page',
    (files) => (files['network.yaml']!.agentArea = '/'),
    'network.yaml',
    'agentArea',
    'pages/index',
  ],
  [
    'an agent services area below /api',
    (files) => (files['network.yaml']!.agentArea = '/api/area'),
    'network.yaml',
    'agentArea',
    'the service',
  ],
  [
    'an item with the path of a page',
    (files) =>
      (files['catalog/kites.yaml']!.items[0].id = files[
        'subsites/kites.yaml'
      ]!.actions[0].fields.kite.enum[0] =
        'terms'),
    'catalog/kites.yaml',
    'items[0].id',
    'pages/kites/terms',
  ],
  [
    'items with the path of a receipt',
    (files) =>
      (files['catalog/kites.yaml']!.route = files['routes.yaml']![1].path = '/receipt/[id]'),
    'catalog/kites.yaml',
    'route',
    'the service',
  ],
  [
    'a snapshot with the path of a document',
    (files) => addSnapshot(files, '/api/agent-index'),
    'subsites/lines.yaml',
    'snapshots[1].path',
    'the service',
  ],
  [
    'a snapshot among manifests',
    (files) => addSnapshot(files, '/api/agent/moon'),
    'subsites/lines.yaml',
    'snapshots[1].path',
    'the service',
  ],
  [
    'a duplicate snapshot',
    (files) => addSnapshot(files, '/api/lines/public'),
    'subsites/lines.yaml',
    'snapshots[1].path',
    'snapshots[0].path of subsites/lines',
  ],
  [
    'a snapshot below another',
    (files) => addSnapshot(files, '/api/lines/public/more'),
    'subsites/lines.yaml',
    'snapshots[1].path',
    'document of subsites/lines',
  ],
  [
    'a lead endpoint with the path of an operation',
    (files) => (linesOf(files).leadEndpoint = '/api/share'),
    'subsites/lines.yaml',
    'leadEndpoint',
    'the service',
  ],
  [
    'a lead endpoint with the path of an MCP endpoint',
    (files) => (linesOf(files).leadEndpoint = '/api/mcp'),
    'subsites/lines.yaml',
    'leadEndpoint',
    'the service',
  ],
  [
    'a lead endpoint with the path of a document',
    (files) => (linesOf(files).leadEndpoint = '/api/agent-index'),
    'subsites/lines.yaml',
    'leadEndpoint',
    'the service',
  ],
  [
    'a lead endpoint with the path of a snapshot',
    (files) => (linesOf(files).leadEndpoint = '/api/lines/public'),
    'subsites/lines.yaml',
    'leadEndpoint',
    'snapshots[0].path of subsites/lines',
  ],
  [
    'a capability with the id of a subsite’s help',
    (files) => (files['capabilities.yaml']![0].id = 'kites.help'),
    'capabilities.yaml',
    '[0].id',
    'capabilities of subsites/kites',
  ],
  [
    'a duplicate capability',
    (files) => files['capabilities.yaml']!.push(files['capabilities.yaml']![0]),
    'capabilities.yaml',
    '[1].id',
    '[0].id of capabilities/capabilities',
  ],
  [
    'an offered action named like the help capability',
    (files) =>
      Object.assign(files['subsites/kites.yaml']!.actions[0], { verb: 'help', capability: {} }),
    'subsites/kites.yaml',
    'actions[0].verb',
    'capabilities of subsites/kites',
  ],
];

describe('a reserved address', () => {
  it.each(collisions)('is rejected for %s', (_, change, file, path, owner) => {
    const files = createSampleFiles();
    change(files);
    const readFaults = () => {
      try {
        readRegistry('registry', toSources(files));
      } catch (error) {
        return (error as RegistryError).faults;
      }
      return [];
    };
    expect(readFaults()).toEqual([
      expect.objectContaining({
        file: `registry/${file}`,
        path,
        problem: expect.stringContaining(owner),
      }),
    ]);
  });

  it('does not prevent the front page and the agent services area from having text', () => {
    expect(() =>
      readRegistry(
        'registry',
        toSources({
          ...createSampleFiles(),
          'pages/index.md': createPage(),
          'pages/agents.md': createPage(),
        }),
      ),
    ).not.toThrow();
  });
});
