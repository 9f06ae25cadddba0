import {
  fillPath,
  SAMPLE_AUTH_HEADERS,
  type SampleRequest,
} from '../../site/developer/request-samples.ts';
import { alternativesOf, componentOf, type Schema } from './schema-rows.ts';

/** The parts of an OpenAPI 3.1 document that the API reference shows. */
export interface OpenApiDocument {
  info: { title: string; version: string; description?: string };
  tags: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  components?: { schemas?: Readonly<Record<string, Schema>> };
}

interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Readonly<Record<string, { summary?: string; value?: unknown }>>;
}

/** One operation of the document, with its method and path. */
export interface ApiOperation {
  path: string;
  method: string;
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  /** Present if a key is needed. */
  'x-codeSamples'?: readonly unknown[];
  parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    example?: string;
    schema?: Schema;
  }[];
  requestBody?: { content: Readonly<Record<string, Content>> };
  responses: Readonly<
    Record<string, { description?: string; content?: Readonly<Record<string, Content>> }>
  >;
}

/** True if an operation needs a key. */
export const requiresKey = (operation: ApiOperation): boolean =>
  operation['x-codeSamples'] !== undefined;

/** The operations of a document by tag, in tag order. */
export function groupOperationsByTag(
  document: OpenApiDocument,
): { tag: string; description: string; operations: ApiOperation[] }[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...(operation as Omit<ApiOperation, 'path' | 'method'>),
    })),
  );
  return document.tags
    .map(({ name, description = '' }) => ({
      tag: name,
      description,
      operations: all.filter(({ tags }) => tags.includes(name)),
    }))
    .filter(({ operations }) => operations.length);
}

/** The content of a body or response for its first media type; undefined if it has none. */
export const findFirstContent = (
  content: Readonly<Record<string, Content>> = {},
): Content | undefined => Object.values(content)[0];

/** Names of the components that a schema or its alternatives refer to. */
export function referencesOf(schema: unknown): string[] {
  const component = componentOf(schema);
  return component === undefined ? alternativesOf(schema).flatMap(referencesOf) : [component];
}

/** The example in a content object, or the first of several examples. */
export const exampleOf = ({ example, examples }: Content): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value;

/**
 * A sample request to an operation, built from the examples of its path parameters, required query
 * parameters and body.
 */
export function createOperationRequest(base: string, operation: ApiOperation): SampleRequest {
  const { path, method, parameters = [], requestBody } = operation;
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name, example }) => [name, example ?? '']),
  );
  const content = findFirstContent(requestBody?.content);
  return {
    method,
    url: `${base}${fillPath(path, parameters)}${query.size ? `?${query.toString()}` : ''}`,
    ...(requiresKey(operation) && { headers: SAMPLE_AUTH_HEADERS }),
    ...(content && { body: exampleOf(content) ?? {} }),
  };
}
