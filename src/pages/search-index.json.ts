import type { APIRoute } from 'astro';
import { buildSite } from '../build-site.ts';
import { createServiceDocument } from '../search/services.ts';

export const prerender = true;

/** The prebuilt index for the search on the front page. */
export const GET: APIRoute = () =>
  new Response(`${JSON.stringify(createServiceDocument(buildSite().registry))}\n`, {
    headers: { 'content-type': 'application/json' },
  });
