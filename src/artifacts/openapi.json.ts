import { type JsonObject, entriesIn, memberOf } from '../site/json-object.ts';
import { z } from 'zod';
import { describeTimeZone } from '../site/calendar/time-zone-text.ts';
import { listOperations } from '../http/operations.ts';
import { DEFAULT_RATE_LIMITS_TEXT } from '../site/default-rate-limits.ts';
import { memoize } from '../site/memoize.ts';
import type { Site } from '../site/site.ts';
import { type Artifact, defineDocument } from './artifact.ts';
import { registerComponent, buildComponentSchemas, sitePathSchema } from './components.ts';
import { describeDocumentPaths } from './openapi/documents.ts';
import { headerComponents, describeHeaders } from './openapi/headers.ts';
import { securitySchemes } from './openapi/keys.ts';
import { describeOperation } from './openapi/operations.ts';
import {
  describeNotModified,
  buildProblemExamples,
  describeProblemResponses,
  listQueryProblems,
} from './openapi/problems.ts';
import { describeProtocolPaths } from './openapi/protocols.ts';

const TAGS = {
  Catalog: 'Capabilities and knowledge.',
  Crawling: 'Documents for crawlers.',
  Discovery: 'Documents that describe the network and link to its parts.',
  Operations: 'Operations of the service.',
  Protocols: 'Endpoints for other protocols.',
  Snapshots: 'Public JSON snapshots of subsites.',
} as const;

function mergeItemsByPath(pairs: Iterable<[string, JsonObject]>): Record<string, JsonObject> {
  const paths: Record<string, JsonObject> = {};
  for (const [path, item] of pairs) paths[path] = { ...paths[path], ...item };
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Components = Record<'schemas' | 'examples' | 'headers', Readonly<Record<string, unknown>>>;

/** The components that the paths use, directly or through other components, by name. */
function findUsedComponents(paths: unknown, components: Components): Components {
  const usedNames = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const $ref = memberOf(value, '$ref');
    if (typeof $ref === 'string' && !usedNames.has($ref)) {
      usedNames.add($ref);
      const [kind, name] = $ref.split('/').slice(2) as [keyof Components, string];
      visit(components[kind][name]);
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(paths);
  const pickUsedComponents = (kind: keyof Components) =>
    Object.fromEntries(
      Object.entries(components[kind])
        .filter(([name]) => usedNames.has(`#/components/${kind}/${name}`))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return {
    schemas: pickUsedComponents('schemas'),
    examples: pickUsedComponents('examples'),
    headers: pickUsedComponents('headers'),
  };
}

const openapiSchema = registerComponent(
  'OpenApi',
  z
    .looseObject({
      openapi: z.literal('3.1.0').describe('OpenAPI version.'),
      info: z
        .looseObject({
          title: z.string().describe('API name.'),
          version: z.string().describe('API version.'),
        })
        .describe('Metadata about the API.'),
      paths: z.record(sitePathSchema, z.looseObject({})).describe('Path items by path.'),
    })
    .describe('An OpenAPI document.'),
);

/**
 * The path item for this document. The example is short because readers already have the full
 * document.
 */
const selfDescription: JsonObject = {
  operationId: 'readOpenApi',
  tags: ['Discovery'],
  summary: 'This document',
  description:
    'OpenAPI 3.1 description of the endpoints and documents. Also available at `/openapi.json`.',
  responses: {
    200: {
      description: 'This document.',
      ...describeHeaders(['ETag']),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/OpenApi' },
          example: { openapi: '3.1.0', info: { title: 'Interface', version: '2.0.0' }, paths: {} },
        },
      },
    },
    304: describeNotModified(),
    ...describeProblemResponses(['not_found', ...listQueryProblems('/api/openapi.json')]),
  },
};

/**
 * The OpenAPI document for a site. It declares no security requirements so that clients can call
 * the endpoints without a key.
 */
function describeSite(site: Site, documents: readonly Artifact[]): JsonObject {
  const { registry, base, dynamic } = site;
  const { network } = registry;
  const describedOperations = (dynamic ? listOperations(site) : []).map((operation) => ({
    operation,
    description: operation.describe(site),
  }));
  const paths = mergeItemsByPath([
    ...documents.flatMap((artifact) => describeDocumentPaths(artifact, site)),
    ...describeProtocolPaths(site),
    ['/api/openapi.json', { get: selfDescription }],
    ...describedOperations.map(({ operation, description: details }): [string, JsonObject] => [
      operation.path,
      { [operation.method.toLowerCase()]: describeOperation(operation, details, base) },
    ]),
  ]);
  const schemas: Record<string, unknown> = Object.fromEntries(
    [
      buildComponentSchemas(),
      ...describedOperations.map(({ description: details }) => details.components ?? {}),
    ].flatMap((componentSchemas) => Object.entries<unknown>(componentSchemas)),
  );
  const tags = new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => entriesIn(memberOf(operation, 'tags'))),
    ),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: `${network.name} interface`,
      version: network.version,
      summary: network.tagline,
      description: `${network.description} Reading requires no key. ${describeTimeZone(network.timeZone)}${dynamic ? ` A receipt is not a confirmed booking or payment; the provider confirms separately. ${DEFAULT_RATE_LIMITS_TEXT}` : ''}`,
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
      ...findUsedComponents(paths, {
        schemas,
        examples: buildProblemExamples(base),
        headers: headerComponents,
      }),
      ...(dynamic && { securitySchemes }),
    },
  };
}

/**
 * `/api/openapi.json`, OpenAPI 3.1.0. Cached because rendering it renders every document for the
 * examples, and the API reference also uses it.
 */
export function createOpenapiArtifact(documents: readonly Artifact[]): Artifact {
  const getDescription = memoize((site: Site) => describeSite(site, documents));
  return defineDocument({
    name: 'openapi',
    description: 'OpenAPI 3.1 description of the endpoints and documents.',
    mediaType: 'application/json',
    paths: ['/api/openapi.json', '/openapi.json'],
    schema: openapiSchema,
    render: (site) => getDescription(site),
  });
}
