import { DEFAULT_RATE_LIMITS_TEXT } from '../../site/default-rate-limits.ts';

/** A response header for `#/components/headers`. */
const headers = {
  ETag: {
    description:
      'Version of the response. Send it as If-None-Match to get 304 if nothing has changed.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description:
      'true if this response repeats the first response for the idempotency key; Link then has the URL of the current state. Absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: {
    description:
      'With Idempotent-Replayed: URL of the current state, if any, as rel="latest-version".',
    schema: { type: 'string' },
  },
  Location: {
    description: 'Redirect target.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'Remaining quota: r requests in the next t seconds. Absent if the operator sets no limit.',
    schema: { type: 'string' },
    example: '"reads";r=299;t=60',
  },
  'RateLimit-Policy': {
    description: `Rate limit: q requests in w seconds. Absent if the operator sets no limit. ${DEFAULT_RATE_LIMITS_TEXT}`,
    schema: { type: 'string' },
    example: '"reads";q=300;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1, maximum: 2_592_000 },
    example: 5,
  },
  'WWW-Authenticate': {
    description: 'How to send a key; includes an error code if the request had a key.',
    schema: { type: 'string' },
    example: 'Bearer realm="capabilities", error="invalid_token"',
  },
} as const;

export type ResponseHeader = keyof typeof headers;

/** Headers on every response of a rate-limited path. */
export const RATE_LIMIT_HEADERS: readonly ResponseHeader[] = ['RateLimit', 'RateLimit-Policy'];

/** The `headers` member of a response; empty if the response has none. */
export const describeHeaders = (
  names: readonly ResponseHeader[],
): { headers?: Record<string, { $ref: string }> } =>
  names.length
    ? {
        headers: Object.fromEntries(
          [...new Set(names)]
            .sort()
            .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
      }
    : {};

/** All response headers, for `#/components/headers`. */
export const headerComponents: Readonly<Record<string, unknown>> = headers;
