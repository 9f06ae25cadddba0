import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRoute, GetStaticPaths } from 'astro';
import { getConfiguredImageService, imageConfig } from 'astro:assets';
import { buildSite } from '../../build-site.ts';
import { readBuildSettings } from '../../settings.ts';
import { allPictures, type Picture } from '../../site/pictures.ts';

export const prerender = true;

const bytesOf = (file: string): Buffer => readFileSync(join(readBuildSettings().registryDir, file));

export const getStaticPaths: GetStaticPaths = () =>
  allPictures(buildSite().registry).map((picture) => ({
    params: { picture: picture.path.slice('/pictures/'.length) },
    props: { picture },
    cacheKey: createHash('sha256')
      .update(JSON.stringify(picture))
      .update(bytesOf(picture.file))
      .digest('base64url'),
  }));

/** A picture that pages show, made by Astro's image service when the network is built. */
export const GET: APIRoute<{ picture: Picture }> = async ({ props: { picture } }) => {
  const service = await getConfiguredImageService();
  if (!('transform' in service)) throw new Error('Astro’s image service makes no files.');
  const { file: src, width, height, format } = picture;
  const { data } = await service.transform(
    bytesOf(src),
    { src, width, height, format, fit: 'cover' },
    imageConfig,
    console,
  );
  return new Response(new Uint8Array(data), { headers: { 'content-type': `image/${format}` } });
};
