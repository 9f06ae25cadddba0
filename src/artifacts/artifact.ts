import type { z } from 'zod';
import type { ProblemCode } from '../operation/problem.ts';
import type { Site } from '../site/site.ts';

export interface Document {
  path: string;
  mediaType: string;
  body: string;
}

/** Tags that group the documents in the OpenAPI document. */
export type DocumentTag = 'Discovery' | 'Catalog' | 'Snapshots' | 'Crawling';

export interface DocumentOperation {
  /** The operationId; if there is more than one path, the path is appended in camel case. */
  id: string;
  tag: DocumentTag;
  /** One-line summary; the artifact's description has the details. */
  summary: string;
  /**
   * Path template for all documents, and the template’s parameter; if absent, each document has its
   * own path item.
   */
  template?: { path: string; parameter: string; description: string };
  /** Variant of the document, selected by a query parameter. */
  variant?: { artifact: Artifact; parameter: string; value: string; description: string };
  /** Problem codes other than not_found. */
  problems?: readonly ProblemCode[];
}

/**
 * A kind of discovery document, prerendered from the registry. `Key` identifies one document, such
 * as a subsite, a snapshot or a page.
 */
export interface Artifact<Key = unknown> {
  /** Kebab-case name, used by tests and the probe. */
  name: string;
  description: string;
  mediaType: string;
  /** Keys of all documents, sorted. */
  keys(site: Site): readonly Key[];
  /** Site paths of a document: the canonical path first, then the aliases. */
  paths(key: Key, site: Site): readonly string[];
  /** Digest of all inputs; undefined if they include the whole network or the build time. */
  digest?(key: Key, site: Site): string | undefined;
  /** Schema of a JSON document, checked before the document is written; absent for text. */
  schema?: z.ZodType;
  /** True if the build signs the document when a signing key is set. */
  signed?: boolean;
  /** Entry in the OpenAPI document; absent if the document only repeats a page. */
  operation?: DocumentOperation;
  /** Renders a document: a JSON value if there is a schema; otherwise, text. */
  render(key: Key, site: Site): unknown;
}

/** Hides the key type from the list of artifacts. */
export const defineArtifact = <Key>(artifact: Artifact<Key>): Artifact => artifact;

/** Defines an artifact with a single document, at its canonical path and aliases. */
export const defineDocument = ({
  paths,
  render,
  ...artifact
}: Omit<Artifact, 'keys' | 'paths' | 'digest' | 'render'> & {
  paths: readonly string[];
  render: (site: Site) => unknown;
}): Artifact => ({
  ...artifact,
  keys: () => [null],
  paths: () => paths,
  render: (_, site) => render(site),
});
