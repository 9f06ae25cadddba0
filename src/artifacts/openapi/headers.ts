/** Response headers that clients act on, each described once, for `#/components/headers`. */
const headers = {
  ETag: {
    description:
      'Version of the answer: sent as If-None-Match, it brings 304 while nothing has changed.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description:
      'true where this is the first answer to the key again, as it was then; Link leads to the present state. Absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: {
    description:
      'With Idempotent-Replayed, the address of the present state, where there is one, as rel="latest-version".',
    schema: { type: 'string' },
  },
  Location: {
    description: 'Address to go on at.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'What remains of the limit: r requests in the next t seconds. Absent where the operator sets no limit.',
    schema: { type: 'string' },
    example: '"reads";r=299;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limit: q requests in w seconds. Absent where the operator sets none.',
    schema: { type: 'string' },
    example: '"reads";q=300;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next call.',
    schema: { type: 'integer', minimum: 1, maximum: 2_592_000 },
    example: 5,
  },
  'WWW-Authenticate': {
    description: 'How to send a key, with an error code where one was sent.',
    schema: { type: 'string' },
    example: 'Bearer realm="capabilities", error="invalid_token"',
  },
} as const;

export type AnswerHeader = keyof typeof headers;

/** Headers of every response of a rate-limited path. */
export const RATE_LIMIT_HEADERS: readonly AnswerHeader[] = ['RateLimit', 'RateLimit-Policy'];

/** The headers of a response; nothing if it has none. */
export const responseHeaders = (
  names: readonly AnswerHeader[],
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
