import { join, relative } from 'node:path';
import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { delivery } from './src/build/delivery.ts';
import { readBuildSettings } from './src/settings.ts';

const { outDir, siteUrl } = readBuildSettings();

export default defineConfig({
  site: siteUrl,
  output: 'static',
  outDir,
  // Each build has its own cache: what one may reuse is what the same folder had before.
  cacheDir: join('node_modules/.astro', relative('.', outDir)),
  adapter: node({ mode: 'middleware' }),
  integrations: [delivery()],
  trailingSlash: 'never',
  // Styles and scripts stand in files of their own: the content security policy allows no inline ones.
  build: { format: 'file', inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
  // A path whose record has not changed is not rendered again; src/registry/digest.ts says what makes a document.
  experimental: { incrementalBuild: true },
  session: false,
  devToolbar: { enabled: false },
  // Forms are posted without cookies, and the origin rule stands in src/transports/origin.ts.
  security: { checkOrigin: false },
});
