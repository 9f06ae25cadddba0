/*
 * Apart from the inbox (src/http/pages/inbox-cookie.ts), the service has no cookies or
 * other credentials that a browser adds by itself, so a page of any origin may read and write
 * whatever anyone may: a forged request can do no more than the forger could. The MCP endpoints
 * check Host and Origin themselves, because a browser may reach them on a private address
 * (src/mcp).
 */

const EXPOSED =
  'etag, idempotent-replayed, link, location, ratelimit, ratelimit-policy, retry-after, www-authenticate';

/** Headers that let a page of another origin read a response. */
export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
};

/**
 * The response to OPTIONS; `allow` is the Allow header, `more` has a protocol's additional request
 * headers.
 */
export const preflight = (allow: string, extraRequestHeaders?: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders,
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': `authorization, content-type, idempotency-key, if-match, if-none-match${extraRequestHeaders ? `, ${extraRequestHeaders}` : ''}`,
      'access-control-max-age': '86400',
    },
  });
