import type { PublicKey } from './public-key.ts';
import type { Registry } from './registry.ts';

/**
 * A registry together with where and when it is published: the argument of every artifact, page and
 * operation.
 */
export interface Site {
  readonly registry: Registry;
  /** Absolute origin, no trailing slash: `{base_url}` of spec.md. */
  readonly base: string;
  /** ISO 8601 time of the build. */
  readonly generatedAt: string;
  /** Whether the dynamic endpoints are served beside the documents. */
  readonly dynamic: boolean;
  /** The key whose signature the agent card carries; absent where it carries none. */
  readonly cardKey?: PublicKey;
  /** The key that signs receipts and statuses; absent where they are not signed. */
  readonly receiptKey?: PublicKey;
}

/** A text of the registry, with the service’s address where it says `{base}`. */
export const withBase = (text: string, base: string): string => text.replaceAll('{base}', base);

/** Path of a page’s Markdown twin; the front page’s is /index.md. */
export const twinPath = (page: string): string => (page === '/' ? '/index.md' : `${page}.md`);
