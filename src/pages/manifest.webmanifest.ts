import type { APIRoute } from 'astro';
import { buildSite } from '../build-site.ts';
import { appIconPathOf, appIcons } from '../components/icons/app-icons.ts';
import { pageColors } from '../components/frame/page-colors.ts';
import { lang } from '../language.ts';

export const prerender = true;

/** The web app manifest (w3.org/TR/appmanifest), for home screens. */
export const GET: APIRoute = () => {
  const { name, tagline } = buildSite().registry.network;
  const manifest = {
    id: '/',
    name,
    description: tagline,
    lang,
    start_url: '/',
    scope: '/',
    // The pages have no back button, so the browser shows one.
    display: 'minimal-ui',
    theme_color: pageColors.header.light,
    background_color: pageColors.ground.light,
    icons: appIcons.map((icon) => ({
      src: appIconPathOf(icon),
      sizes: `${icon.size}x${icon.size}`,
      type: 'image/png',
      purpose: icon.purpose,
    })),
  };
  return new Response(`${JSON.stringify(manifest)}\n`, {
    headers: { 'content-type': 'application/manifest+json' },
  });
};
