import type { APIRoute } from 'astro';
import { buildSite } from '../build-site.ts';
import { renderIcon } from '../components/icons/icon-drawing.ts';
import { iconsOf } from '../components/icons/icons.ts';

export const prerender = true;

const renderSymbol = (name: string) =>
  `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${renderIcon(name)}</symbol>`;

/** A sprite that contains the icons on the network’s pages. */
export const GET: APIRoute = () =>
  new Response(
    `<svg xmlns="http://www.w3.org/2000/svg">${iconsOf(buildSite().registry).map(renderSymbol).join('')}</svg>\n`,
    { headers: { 'content-type': 'image/svg+xml' } },
  );
