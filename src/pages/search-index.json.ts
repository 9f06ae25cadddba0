import type { APIRoute } from 'astro';
import { buildSite } from '../build-site.ts';
import { searchIndex } from '../components/search-index.ts';

export const prerender = true;

/** The prebuilt index behind the front page’s search. */
export const GET: APIRoute = () => new Response(searchIndex(buildSite()), { headers: { 'content-type': 'application/json' } });
