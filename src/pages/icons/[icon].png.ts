import type { APIRoute, GetStaticPaths } from 'astro';
import { type AppIcon, appIcons, drawAppIcon } from '../../components/icons/app-icons.ts';

export const prerender = true;

export const getStaticPaths: GetStaticPaths = () =>
  appIcons.map((icon) => ({ params: { icon: icon.name }, props: { icon } }));

/** An icon of the web app manifest. */
export const GET: APIRoute<{ icon: AppIcon }> = ({ props: { icon } }) =>
  new Response(drawAppIcon(icon), { headers: { 'content-type': 'image/png' } });
