import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
import { createDeliveryIntegration } from './src/build/delivery.ts';
import { createDevelopmentIntegration } from './src/build/development.ts';
import { exitOnInvalidSettings } from './src/cli/command-settings.ts';
import { readBuildSettings } from './src/settings.ts';

const { siteUrl, host, port } = exitOnInvalidSettings(readBuildSettings);

/**
 * The server keeps the text of the page renderer in memory, with two bytes per character if any
 * character of a module is outside Latin-1, such as a dash in a comment.
 */
const compactCode = {
  compress: false,
  mangle: false,
  codegen: { removeWhitespace: true, asciiOnly: true, legalComments: 'none' },
};

export default defineConfig({
  site: siteUrl,
  output: 'static',
  // A build gives each release its own folder below OUT_DIR: src/build/build-release.ts.
  adapter: node({ mode: 'middleware' }),
  integrations: [createDeliveryIntegration(), createDevelopmentIntegration()],
  server: { host, port },
  trailingSlash: 'never',
  // Styles and scripts are separate files: the content security policy allows no inline ones.
  build: { format: 'file', inlineStylesheets: 'never' },
  vite: {
    // Astro imports all of zod, of which pages use nothing.
    ssr: { noExternal: ['zod'] },
    // The maps of the pages’ bundle name its modules, which test/site/bundle.test.ts reads.
    build: { assetsInlineLimit: 0, sourcemap: true },
    environments: {
      ssr: { build: { rolldownOptions: { output: { minify: compactCode } } } },
      client: { build: { sourcemap: false } },
      prerender: { build: { sourcemap: false } },
    },
  },
  // A path whose record has not changed is not rendered again; src/site/digest.ts lists the inputs
  // of each document.
  experimental: { incrementalBuild: true },
  session: false,
  devToolbar: { enabled: false },
  // Astro never gets a client’s request (src/server/astro-renderer.ts); src/http/origin.ts has the
  // CORS rule.
  security: { checkOrigin: false },
});
