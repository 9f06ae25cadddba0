import type { PublicKey } from './developer/public-key.ts';
import type { Registry } from './registry.ts';

/** A registry with its origin and build time: the input for every artifact, page and operation. */
export interface Site {
  readonly registry: Registry;
  /** Absolute origin without a trailing slash. */
  readonly base: string;
  /** ISO 8601 time of the build. */
  readonly generatedAt: string;
  /** True if the dynamic endpoints are served in addition to the documents. */
  readonly dynamic: boolean;
  /** The key that signs the agent card; absent if it is unsigned. */
  readonly cardKey?: PublicKey;
  /** The key that signs receipts and statuses; absent if they are unsigned. */
  readonly receiptKey?: PublicKey;
}

/** Replaces `{base}` in text from the registry with the service’s origin. */
export const withBase = (text: string, base: string): string => text.replaceAll('{base}', base);

/** Converts an absolute URL on this site to a path; any other URL is unchanged. */
export const toRelativeUrl = (url: string, base: string): string =>
  url.startsWith(base) ? url.slice(base.length) || '/' : url;

/** The path of a page’s Markdown version; for the front page, /index.md. */
export const toMarkdownPath = (page: string): string => (page === '/' ? '/index.md' : `${page}.md`);
