import { entriesIn, memberOf } from '../site/json-object.ts';
import { z } from 'zod';
import { operations } from '../http/operations.ts';
import { memoize } from '../site/memoize.ts';
import type { Site } from '../site/site.ts';
import { type Artifact, defineArtifact, once } from './artifact.ts';
import { component, componentSchemas, sitePath } from './components.ts';
import { documentPaths } from './openapi/documents.ts';
import { headerComponents, responseHeaders } from './openapi/headers.ts';
import { securitySchemes } from './openapi/keys.ts';
import { operationItem } from './openapi/operations.ts';
import {
  notModified,
  problemExamples,
  problemResponses,
  queryProblems,
} from './openapi/problems.ts';
import { protocolPaths } from './openapi/protocols.ts';

type Json = Record<string, unknown>;

const TAGS = {
  Catalog: 'Capabilities and knowledge.',
  Crawling: 'Documents for crawlers.',
  Discovery: 'What the network is and where its parts are.',
  Operations: 'What the service does on request.',
  Protocols: 'Endpoints with a protocol of their own.',
  Snapshots: 'Public JSON snapshots of subsites.',
} as const;

function merged(pairs: Iterable<[string, Json]>): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const [path, item] of pairs) paths[path] = { ...paths[path], ...item };
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Components = Record<'schemas' | 'examples' | 'headers', Readonly<Record<string, unknown>>>;

/** The components that the paths refer to, found by following references; by name. */
function usedComponents(paths: unknown, components: Components): Components {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const $ref = memberOf(value, '$ref');
    if (typeof $ref === 'string' && !used.has($ref)) {
      used.add($ref);
      const [kind, name] = $ref.split('/').slice(2) as [keyof Components, string];
      visit(components[kind][name]);
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(paths);
  const kept = (kind: keyof Components) =>
    Object.fromEntries(
      Object.entries(components[kind])
        .filter(([name]) => used.has(`#/components/${kind}/${name}`))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return { schemas: kept('schemas'), examples: kept('examples'), headers: kept('headers') };
}

const openapiSchema = component(
  'OpenApi',
  z
    .looseObject({
      openapi: z.literal('3.1.0').describe('Version of the format.'),
      info: z
        .looseObject({
          title: z.string().describe('Name of the interface.'),
          version: z.string().describe('Version of the interface.'),
        })
        .describe('What is described.'),
      paths: z.record(sitePath, z.looseObject({})).describe('Endpoints and documents by path.'),
    })
    .describe('An OpenAPI document.'),
);

/**
 * This document's own entry, with a short example, because readers already have the full document.
 */
const self: Json = {
  operationId: 'readOpenApi',
  tags: ['Discovery'],
  summary: 'This document',
  description:
    'OpenAPI 3.1 description of every endpoint and document. Also available at `/openapi.json`.',
  responses: {
    200: {
      description: 'This document.',
      ...responseHeaders(['ETag']),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/OpenApi' },
          example: { openapi: '3.1.0', info: { title: 'Interface', version: '2.0.0' }, paths: {} },
        },
      },
    },
    304: notModified(),
    ...problemResponses(['not_found', ...queryProblems('/api/openapi.json')]),
  },
};

/**
 * The API description of a site: every operation and every document. No security requirement is
 * declared: generated clients would send the key with every call.
 */
function describeSite(site: Site, documents: readonly Artifact<unknown>[]): Json {
  const { registry, base, dynamic } = site;
  const { network } = registry;
  const offered = (dynamic ? operations(site) : []).map((operation) => ({
    operation,
    described: operation.describe(site),
  }));
  const paths = merged([
    ...documents.flatMap((artifact) => documentPaths(artifact, site)),
    ...protocolPaths(site),
    ['/api/openapi.json', { get: self }],
    ...offered.map(({ operation, described: text }): [string, Json] => [
      operation.path,
      { [operation.method.toLowerCase()]: operationItem(operation, text, base) },
    ]),
  ]);
  const schemas: Record<string, unknown> = Object.fromEntries(
    [componentSchemas(), ...offered.map(({ described: text }) => text.components ?? {})].flatMap(
      (some) => Object.entries<unknown>(some),
    ),
  );
  const tags = new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((each) => entriesIn(memberOf(each, 'tags'))),
    ),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: `${network.name} interface`,
      version: network.version,
      summary: network.tagline,
      description: `${network.description} Reading needs no key.${dynamic ? ' A receipt is not a confirmed booking or payment; the provider confirms separately.' : ''}`,
      termsOfService: `${base}${network.terms ?? network.agentArea}`,
      contact: {
        name: network.organization.name,
        email: network.organization.email,
        url: `${base}${network.agentArea}`,
      },
      license: { name: 'Terms of use', url: `${base}${network.terms ?? network.agentArea}` },
    },
    servers: [{ url: base, description: network.name }],
    security: [],
    tags: Object.entries(TAGS)
      .filter(([name]) => tags.has(name))
      .map(([name, description]) => ({ name, description })),
    externalDocs: { url: `${base}${network.agentArea}`, description: 'Agent services area' },
    paths,
    components: {
      ...usedComponents(paths, {
        schemas,
        examples: problemExamples(base),
        headers: headerComponents,
      }),
      ...(dynamic && { securitySchemes }),
    },
  };
}

/**
 * `/api/openapi.json`, OpenAPI 3.1.0. Cached because rendering includes every large document for
 * its example, and the API reference needs it too.
 */
export function openapi(documents: readonly Artifact<unknown>[]): Artifact<unknown> {
  const descriptionOf = memoize((site: Site) => describeSite(site, documents));
  return defineArtifact<null>({
    name: 'openapi',
    description: 'OpenAPI 3.1 description of every endpoint and document.',
    mediaType: 'application/json',
    keys: once,
    paths: () => ['/api/openapi.json', '/openapi.json'],
    schema: openapiSchema,
    render: (_, site) => descriptionOf(site),
  });
}
