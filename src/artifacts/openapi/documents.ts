import { type JsonObject, memberOf } from '../../site/json-object.ts';
import type { Site } from '../../site/site.ts';
import type { Artifact } from '../artifact.ts';
import { type Parameter, pathParameter, queryParameter } from '../../operation/operation.ts';
import { componentNameOf } from '../components.ts';
import { describeHeaders } from './headers.ts';
import { describeNotModified, describeProblemResponses, listQueryProblems } from './problems.ts';

/**
 * Shortens lists of records to their first record. Lists of strings stay complete because some of
 * them have a minimum length.
 */
function shorten(value: unknown): unknown {
  if (Array.isArray(value))
    return (typeof value[0] === 'object' ? value.slice(0, 1) : value).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, shorten(child)]));
}

const MAX_SAMPLE_LINES = 12;

/** Schema and example of a document. */
function describeMedia(artifact: Artifact, key: unknown, site: Site) {
  const value = artifact.render(key, site);
  return artifact.schema
    ? {
        schema: { $ref: `#/components/schemas/${componentNameOf(artifact.schema)}` },
        example: shorten(value),
      }
    : {
        schema: { type: 'string' },
        example: String(value).split('\n').slice(0, MAX_SAMPLE_LINES).join('\n'),
      };
}

const toCamelCase = (path: string) =>
  path
    .replace(/^\/(?:api\/)?/, '')
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

function describeContent(artifact: Artifact, key: unknown, site: Site): JsonObject {
  const { variant } = artifact.operation!;
  const mediaType = artifact.mediaType.replace(/;\s*charset=.*/, '');
  const plainMedia = describeMedia(artifact, key, site);
  if (!variant) return { [mediaType]: plainMedia };
  const { schema, example } = describeMedia(variant.artifact, key, site);
  return {
    [mediaType]: {
      schema: { oneOf: [plainMedia.schema, schema] },
      examples: {
        plain: { summary: 'Without the parameter', value: plainMedia.example },
        [variant.value]: {
          summary: `With ${variant.parameter}=${variant.value}`,
          value: example,
        },
      },
    },
  };
}

function describeDocumentOperation(
  artifact: Artifact,
  key: unknown,
  site: Site,
  suffix: string,
): JsonObject {
  const { id, tag, summary, template, variant, problems = [] } = artifact.operation!;
  const [path, ...aliases] = artifact.paths(key, site);
  const parameters: Parameter[] = [];
  if (template) {
    const [first] = artifact.keys(site);
    parameters.push(
      pathParameter(template.parameter, template.description, { example: memberOf(first, 'name') }),
    );
  }
  if (variant)
    parameters.push(
      queryParameter(variant.parameter, variant.description, {
        schema: { type: 'string', enum: [variant.value] },
        example: variant.value,
      }),
    );
  const aliasNote = aliases.length
    ? ` Also available at ${aliases.map((alias) => `\`${alias}\``).join(' and ')}.`
    : '';
  return {
    operationId: `${id}${suffix}`,
    tags: [tag],
    summary: suffix ? `${summary} ${path}` : summary,
    description: `${artifact.description}${aliasNote}`,
    ...(parameters.length && { parameters }),
    responses: {
      200: {
        description: artifact.description,
        ...describeHeaders(['ETag']),
        content: describeContent(artifact, key, site),
      },
      304: describeNotModified(),
      ...describeProblemResponses([
        ...(problems.some((code) => code.startsWith('unknown_')) ? [] : (['not_found'] as const)),
        ...problems,
        ...listQueryProblems(path!),
      ]),
    },
  };
}

/** Path items of an artifact by path. If the artifact has a template, that is the only path. */
export function describeDocumentPaths(artifact: Artifact, site: Site): [string, JsonObject][] {
  if (!artifact.operation) return [];
  const { template } = artifact.operation;
  const keys = template ? artifact.keys(site).slice(0, 1) : artifact.keys(site);
  return keys.map((key) => {
    const path = template?.path ?? artifact.paths(key, site)[0]!;
    const suffix = keys.length > 1 ? toCamelCase(path) : '';
    return [path, { get: describeDocumentOperation(artifact, key, site, suffix) }];
  });
}
