import type { APIRoute } from 'astro';
import { drawAppIcon } from '../components/icons/app-icons.ts';

export const prerender = true;

/** The network’s mark for Apple home screens, which round its corners. */
export const GET: APIRoute = () =>
  new Response(drawAppIcon({ size: 180, purpose: 'maskable' }), {
    headers: { 'content-type': 'image/png' },
  });
