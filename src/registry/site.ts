import type { Registry } from './registry.ts';

/** The public half of an Ed25519 key, RFC 8037; `kid` is its thumbprint, RFC 7638. */
export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
}

/** A registry together with where and when it is published: the argument of every artifact, page and operation. */
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
}

/** A text of the registry, with the service’s address where it says `{base}`. */
export const withBase = (text: string, base: string): string => text.replaceAll('{base}', base);
