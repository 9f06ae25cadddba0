import { join } from 'node:path';
import type { APIRoute, GetStaticPaths } from 'astro';
import { buildSite } from '../../build-site.ts';
import { type SocialImage, listSocialImages } from '../../components/social-image/choice.ts';
import { renderSocialImage } from '../../components/social-image/index.ts';
import { readBuildSettings } from '../../settings.ts';
import { digestJson } from '../../site/digest.ts';

export const prerender = true;

export const getStaticPaths: GetStaticPaths = () =>
  listSocialImages(buildSite().registry).map((image) => ({
    params: { image: image.name },
    props: { image },
    cacheKey: digestJson(image),
  }));

const cacheDir = join(readBuildSettings().outDir, 'cache', 'social-images');

/** The image in previews of shared links. */
export const GET: APIRoute<{ image: SocialImage }> = async ({ props: { image } }) =>
  new Response(new Uint8Array(await renderSocialImage(image, cacheDir)), {
    headers: { 'content-type': 'image/png' },
  });
