/*
 * CORS headers. Every origin is allowed, because only the inbox has credentials that a browser
 * sends automatically (src/http/pages/inbox-cookie.ts): elsewhere, a forged request can do nothing
 * that the forger could not do directly. The MCP endpoints check Host and Origin themselves,
 * because a browser may reach them on a private address (src/mcp).
 */

const EXPOSED_HEADERS =
  'etag, idempotent-replayed, link, location, ratelimit, ratelimit-policy, retry-after, www-authenticate';

/** Headers that let pages from other origins read a response. */
export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
};

/** The response to OPTIONS; a protocol may have `extraRequestHeaders`. */
export const createPreflightResponse = (allow: string, extraRequestHeaders?: string): Response =>
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
