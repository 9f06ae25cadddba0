import { z } from 'zod';
import type { Operation, OperationDescription } from '../operation/operation.ts';
import { operations } from '../http/operations.ts';
import { checksQuery } from '../http/query.ts';
import type { ProblemCode } from '../operation/problem.ts';
import { onceFor } from '../site/once-for.ts';
import type { Site } from '../site/site.ts';
import { type Artifact, defineArtifact, once } from './artifact.ts';
import { component, componentName, componentSchemas, sitePath } from './components.ts';
import { HOW_TO_SEND_KEY, keyedSamples, securitySchemes } from './openapi-keys.ts';
import { problemExamples, problemResponses } from './openapi-problems.ts';
import { protocolPaths } from './openapi-protocols.ts';

type Json = Record<string, unknown>;

const TAGS = {
  Catalog: 'Capabilities and knowledge.',
  Crawling: 'Documents for crawlers.',
  Discovery: 'What the network is and where its parts are.',
  Operations: 'What the service does on request.',
  Protocols: 'Endpoints with a protocol of their own.',
  Snapshots: 'Public JSON snapshots of subsites.',
} as const;

/** Problems of every dynamic endpoint; a body adds those of reading it. */
const EVERYWHERE: readonly ProblemCode[] = ['rate_limited', 'internal', 'unavailable'];
const WITH_BODY: readonly ProblemCode[] = ['malformed_body', 'too_large', 'unsupported_media_type'];

/** Problems of an address that refuses unknown query parameters. */
const queryProblems = (path: string): readonly ProblemCode[] =>
  checksQuery(path) ? ['invalid_input'] : [];

const NOT_CHANGED = { description: 'Not changed since the ETag that was sent.' };

/**
 * Lists of records shortened to their first, to show the shape; lists of words stay whole, because
 * some have a minimum length.
 */
function shortened(value: unknown): unknown {
  if (Array.isArray(value))
    return (typeof value[0] === 'object' ? value.slice(0, 1) : value).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}

const MAX_SAMPLE_LINES = 12;

function content(artifact: Artifact<unknown>, key: unknown, site: Site): Json {
  const value = artifact.render(key, site);
  const mediaType = artifact.mediaType.replace(/;\s*charset=.*/, '');
  if (!artifact.schema)
    return {
      [mediaType]: {
        schema: { type: 'string' },
        example: String(value).split('\n').slice(0, MAX_SAMPLE_LINES).join('\n'),
      },
    };
  return {
    [mediaType]: {
      schema: { $ref: `#/components/schemas/${componentName(artifact.schema)}` },
      example: shortened(value),
    },
  };
}

const camelPath = (path: string) =>
  path
    .replace(/^\/(?:api\/)?/, '')
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

function documentResponse(artifact: Artifact<unknown>, key: unknown, site: Site): Json {
  const { variant } = artifact.operation!;
  const plain = content(artifact, key, site);
  if (!variant) return plain;
  const [[mediaType, one]] = Object.entries(plain) as [[string, Json]];
  const other = Object.values(content(variant.artifact, key, site))[0] as Json;
  return {
    [mediaType]: {
      schema: { oneOf: [one.schema, other.schema] },
      examples: {
        plain: { summary: 'Without the parameter', value: one.example },
        [variant.value]: {
          summary: `With ${variant.parameter}=${variant.value}`,
          value: other.example,
        },
      },
    },
  };
}

function documentOperation(
  artifact: Artifact<unknown>,
  key: unknown,
  site: Site,
  suffix: string,
): Json {
  const { id, tag, summary, template, variant, problems = [] } = artifact.operation!;
  const [path, ...aliases] = artifact.paths(key, site);
  const parameters: Json[] = [];
  if (template) {
    const named = artifact.keys(site).map((each) => (each as { name: string }).name);
    parameters.push({
      name: template.parameter,
      in: 'path',
      required: true,
      description: template.description,
      schema: { type: 'string' },
      example: named[0],
    });
  }
  if (variant)
    parameters.push({
      name: variant.parameter,
      in: 'query',
      required: false,
      description: variant.description,
      schema: { type: 'string', enum: [variant.value] },
      example: variant.value,
    });
  const also = aliases.length
    ? ` Also available at ${aliases.map((alias) => `\`${alias}\``).join(' and ')}.`
    : '';
  return {
    operationId: `${id}${suffix}`,
    tags: [tag],
    summary: suffix ? `${summary} ${path}` : summary,
    description: `${artifact.description}${also}`,
    ...(parameters.length && { parameters }),
    responses: {
      200: { description: artifact.description, content: documentResponse(artifact, key, site) },
      304: NOT_CHANGED,
      ...problemResponses([
        ...(problems.some((code) => code.startsWith('unknown_')) ? [] : (['not_found'] as const)),
        ...problems,
        ...queryProblems(path!),
      ]),
    },
  };
}

function documentPaths(artifact: Artifact<unknown>, site: Site): [string, Json][] {
  if (!artifact.operation) return [];
  const keys = artifact.keys(site);
  const { template } = artifact.operation;
  if (template)
    return keys.length
      ? [[template.path, { get: documentOperation(artifact, keys[0], site, '') }]]
      : [];
  return keys.map((key) => {
    const path = artifact.paths(key, site)[0]!;
    return [
      path,
      { get: documentOperation(artifact, key, site, keys.length > 1 ? camelPath(path) : '') },
    ];
  });
}

function operationRequest(
  { form: takesForm }: Operation,
  { request, requestExamples }: OperationDescription,
): Json {
  if (!request) return {};
  const examples = requestExamples && { examples: requestExamples };
  const form = {
    schema: {
      type: 'object',
      description: 'The same fields as HTML form fields with dotted names, for example fields.zip.',
      additionalProperties: { type: 'string' },
    },
  };
  return {
    requestBody: {
      required: true,
      description: 'The request as JSON.',
      content: {
        'application/json': { schema: request, ...examples },
        ...(takesForm && {
          'application/x-www-form-urlencoded': form,
          'multipart/form-data': form,
        }),
      },
    },
  };
}

function operationItem(operation: Operation, described: OperationDescription, base: string): Json {
  const { name, method, summary, description, bearer, problems } = operation;
  const { parameters, request, response, responseExample, status = 200, accepted } = described;
  const codes: ProblemCode[] = [
    ...EVERYWHERE,
    ...problems,
    ...queryProblems(operation.path),
    ...(request ? WITH_BODY : []),
    ...(bearer ? (['unauthorized'] as const) : []),
  ];
  const redirect = status >= 300;
  const answer = redirect
    ? {
        description: 'Where it is.',
        headers: {
          Location: { description: 'Absolute address.', schema: { type: 'string', format: 'uri' } },
        },
      }
    : {
        description: summary,
        ...(response && {
          content: {
            'application/json': {
              schema: response,
              ...(responseExample !== undefined && { example: responseExample }),
            },
          },
        }),
      };
  return {
    operationId: name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['Operations'],
    summary,
    description: bearer ? `${description} ${HOW_TO_SEND_KEY}` : description,
    ...(parameters.length && { parameters }),
    ...(method !== 'GET' && operationRequest(operation, described)),
    ...(bearer && { 'x-codeSamples': keyedSamples(operation, described, base) }),
    responses: {
      [status]: answer,
      ...(accepted && {
        202: {
          ...answer,
          description: accepted,
          headers: {
            'Retry-After': {
              description: 'Seconds to wait before asking for the state.',
              schema: { type: 'integer' },
            },
          },
        },
      }),
      ...(operation.form && {
        303: {
          description: 'Answer to an HTML form: the receipt page.',
          headers: {
            Location: { description: 'Address of the receipt page.', schema: { type: 'string' } },
          },
        },
      }),
      ...(operation.etag && method === 'GET' && { 304: NOT_CHANGED }),
      ...problemResponses(codes),
      // Linters require a success response next to a redirect; anything else is a problem.
      ...(redirect && {
        default: {
          description: 'Any other answer is a problem.',
          content: {
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          },
        },
      }),
    },
  };
}

function merged(pairs: Iterable<[string, Json]>): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const [path, item] of pairs) paths[path] = { ...paths[path], ...item };
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Components = Record<'schemas' | 'examples', Record<string, unknown>>;

/** The components that the paths refer to, found by following references; by name. */
function usedComponents(paths: unknown, components: Components): Components {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: unknown };
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
  return { schemas: kept('schemas'), examples: kept('examples') };
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

/** This document's own entry; its example is short, because readers have the whole. */
const self: Json = {
  operationId: 'readOpenApi',
  tags: ['Discovery'],
  summary: 'This document',
  description:
    'OpenAPI 3.1 description of every endpoint and document. Also available at `/openapi.json`.',
  responses: {
    200: {
      description: 'This document.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/OpenApi' },
          example: { openapi: '3.1.0', info: { title: 'Interface', version: '2.0.0' }, paths: {} },
        },
      },
    },
    304: NOT_CHANGED,
    ...problemResponses(['not_found', ...queryProblems('/api/openapi.json')]),
  },
};

/**
 * The description of a site: every operation and every document. No security requirement is
 * declared (spec.md "Authentication").
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
    ['/api/openapi.json', { get: self }] as [string, Json],
    ...offered.map(
      ({ operation, described: text }) =>
        [
          operation.path,
          { [operation.method.toLowerCase()]: operationItem(operation, text, base) },
        ] as [string, Json],
    ),
  ]);
  const schemas: Record<string, unknown> = Object.fromEntries(
    [componentSchemas(), ...offered.map(({ described: text }) => text.components ?? {})].flatMap(
      (some) => Object.entries<unknown>(some),
    ),
  );
  const tags = new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((each) => (each as { tags: string[] }).tags),
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
      ...usedComponents(paths, { schemas, examples: problemExamples(base) }),
      ...(dynamic && { securitySchemes }),
    },
  };
}

/**
 * `/api/openapi.json`, OpenAPI 3.1.0. Cached: every large document is rendered for its example, and
 * the API reference needs it too.
 */
export function openapi(documents: readonly Artifact<unknown>[]): Artifact<unknown> {
  const descriptionOf = onceFor((site: Site) => describeSite(site, documents));
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
