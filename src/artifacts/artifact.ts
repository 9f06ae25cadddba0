import type { z } from 'zod';
import type { ProblemCode } from '../operation/problem.ts';
import type { Site } from '../site/site.ts';

/** One document: its site path and its content. */
export interface Document {
  path: string;
  mediaType: string;
  body: string;
}

/** Tags that group documents in the OpenAPI document. */
export type DocumentTag = 'Discovery' | 'Catalog' | 'Snapshots' | 'Crawling';

/** The OpenAPI description of an artifact. */
export interface DocumentOperation {
  /** operationId; with several paths, the path follows in camel case. */
  id: string;
  tag: DocumentTag;
  /** One line; the artifact's description says more. */
  summary: string;
  /**
   * Path template for all documents, and its parameter; without it, each document has its own path.
   */
  template?: { path: string; parameter: string; description: string };
  /** Another form of the same document, chosen by a query parameter. */
  variant?: { artifact: Artifact<unknown>; parameter: string; value: string; description: string };
  /** Problems other than not_found. */
  problems?: readonly ProblemCode[];
}

/**
 * A kind of discovery document, prerendered from the registry. One file each, named by its URL.
 * `Key` identifies one document: a subsite, a snapshot, a page; `null` where there is only one.
 */
export interface Artifact<Key = null> {
  /** Kebab-case name, used by tests and the probe. */
  name: string;
  /** What it contains, in one sentence. */
  description: string;
  mediaType: string;
  /** All keys that have a document, sorted. */
  keys(site: Site): readonly Key[];
  /** Site path of a key’s document; a list if it has aliases, canonical path first. */
  paths(key: Key, site: Site): readonly string[];
  /**
   * Digest of all inputs of a key’s document; absent or undefined if it depends on the whole
   * network or the build time.
   */
  digest?(key: Key, site: Site): string | undefined;
  /** Schema that a JSON document must satisfy before it is written; absent for text. */
  schema?: z.ZodType;
  /** Whether the build signs it when it has a key. */
  signed?: boolean;
  /** Its entry in the OpenAPI document; absent if a document is only another form of a page. */
  operation?: DocumentOperation;
  /** The document: a JSON value if there is a schema, otherwise text. */
  render(key: Key, site: Site): unknown;
}

/** Keeps the key type inside one artifact and hides it from the list. */
export const defineArtifact = <Key>(artifact: Artifact<Key>): Artifact<unknown> => artifact;

/** The key of an artifact with a single document. */
export const once = (): readonly null[] => [null];

/** A document that does not match its own schema: always a bug. */
export class ArtifactError extends Error {}

/**
 * The text of one document.
 * @throws {ArtifactError} when the value does not match the artifact’s schema.
 */
export function renderDocument(artifact: Artifact<unknown>, key: unknown, site: Site): string {
  const value = artifact.render(key, site);
  if (!artifact.schema) return String(value);
  const result = artifact.schema.safeParse(value);
  if (!result.success) {
    const at = artifact.paths(key, site)[0];
    throw new ArtifactError(
      `${at} does not satisfy the schema of ${artifact.name}:\n${result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`).join('\n')}`,
    );
  }
  return `${JSON.stringify(value)}\n`;
}
