import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { AstroIntegration, AstroIntegrationLogger } from 'astro';
import { listPlacements } from '../artifacts/index.ts';
import { buildSite } from '../build-site.ts';
import { formatFault, RegistryError } from '../registry/fault.ts';
import { requireRegistryFolder } from '../registry/index.ts';
import { readSettings, SettingsError } from '../settings.ts';
import { findImageFaults, listReferencedImages } from './image-faults.ts';
import { buildFileNames } from './arena.ts';
import { renderHeadersFile, MAX_RULES } from './cdn/headers-file.ts';
import { renderRedirectsFile } from './cdn/redirects-file.ts';
import { listRedirects } from './redirects.ts';
import { buildRules } from './cdn/rules.ts';
import { keepOldAssets } from './old-assets.ts';
import { type PreviousArena, openPreviousArena } from './previous-arena.ts';
import { createPolicyFinder } from './policies.ts';
import { findCurrentRelease } from './releases.ts';
import { freeLargeHeap } from './free-memory.ts';
import { listServedFiles } from './served-files.ts';
import { type Stamp, computeCurrentStamp, writeStamp } from './stamp.ts';
import { writeArena } from './write-arena.ts';
import { formatQuantity } from '../site/words/quantity.ts';

/**
 * Astro’s record of rendered pages. Astro writes it after the cached pages, so the two do not match
 * if a build was interrupted.
 */
const RENDERED_KEYS_FILE = 'incremental-build.json';

/** Marks the cache as complete while no build is running. */
const COMPLETE_FILE = 'complete';

/** Names of the styles and scripts that the cached pages link to. */
const LINKED_ASSETS_FILE = 'linked.json';

/**
 * Makes Astro rerender all pages if the names of styles or scripts have changed. Astro checks only
 * what a page itself imports, but the imports of one page affect how the styles of other pages are
 * split into files.
 */
function discardPagesWithOldAssets(cacheDir: string, assets: Iterable<string>): void {
  const linkedAssets = JSON.stringify(
    [...assets].filter((name) => /\.(?:css|js)$/.test(name)).sort(),
  );
  const file = join(cacheDir, LINKED_ASSETS_FILE);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== linkedAssets)
    rmSync(join(cacheDir, RENDERED_KEYS_FILE), { force: true });
  writeFileSync(file, linkedAssets);
}

function writeHostFiles(
  clientDir: string,
  files: Parameters<typeof buildRules>[0],
  redirects: Parameters<typeof renderRedirectsFile>[0],
  logger: AstroIntegrationLogger,
): void {
  const rules = buildRules(files);
  if (rules.length >= MAX_RULES)
    logger.warn(
      `_headers has ${rules.length + 1} rules; Cloudflare reads only the first ${MAX_RULES}.`,
    );
  writeFileSync(join(clientDir, '_headers'), renderHeadersFile(files, rules));
  writeFileSync(join(clientDir, '_redirects'), renderRedirectsFile(redirects, files));
}

/** Ends a build without a stack trace, for an error that the operator can fix. */
function exitWithMessage(error: unknown): never {
  if (error instanceof RegistryError)
    process.stderr.write(
      `${error.faults.map(formatFault).join('\n')}\n${formatQuantity(error.faults.length, 'fault')} in the registry.\n`,
    );
  else if (error instanceof SettingsError) process.stderr.write(`${error.message}\n`);
  else throw error;
  process.exit(1);
}

/**
 * Writes the files that serve a build: the arena for the memory tier, the site for the dynamic
 * endpoints, the CDN rules and, as the last step, the stamp that `npm start` uses to recognize the
 * build.
 */
export function createDeliveryIntegration(): AstroIntegration {
  let outDir = '';
  let clientDir = '';
  let cacheDir = '';
  let stamp: Stamp;
  let previous: PreviousArena;
  return {
    name: 'delivery',
    hooks: {
      'astro:config:setup': ({ command }) => {
        // By default, V8 lets the heap of a long build grow to twice the used memory before it
        // collects garbage.
        if (command === 'build') setFlagsFromString('--heap-growing-percent=25');
      },
      'astro:config:done': ({ config }) => {
        outDir = fileURLToPath(config.outDir);
        clientDir = fileURLToPath(config.build.client);
        cacheDir = fileURLToPath(config.cacheDir);
      },
      'astro:build:start': async () => {
        try {
          const { registryDir, outDir: releases } = readSettings();
          // Checked first because the stamp reads every file in the folder, and a wrong folder may
          // be large.
          requireRegistryFolder(registryDir);
          // Created first so that the stamp does not cover changes made during the build.
          stamp = computeCurrentStamp();
          const faults = await findImageFaults(
            registryDir,
            listReferencedImages(buildSite().registry),
          );
          if (faults.length) throw new RegistryError(faults);
          if (!existsSync(join(cacheDir, COMPLETE_FILE)))
            rmSync(join(cacheDir, RENDERED_KEYS_FILE), { force: true });
          rmSync(join(cacheDir, COMPLETE_FILE), { force: true });
          mkdirSync(cacheDir, { recursive: true });
          previous = await openPreviousArena(findCurrentRelease(releases));
        } catch (error) {
          exitWithMessage(error);
        }
      },
      'astro:build:ssr': ({ manifest }) => {
        discardPagesWithOldAssets(cacheDir, manifest.assets);
        // Frees modules left over from bundling.
        freeLargeHeap();
      },
      'astro:build:generated': () => freeLargeHeap(),
      'astro:build:done': async ({ logger }) => {
        const site = buildSite();
        const { base, generatedAt, registry } = site;
        keepOldAssets(clientDir, readSettings().outDir);
        const files = listServedFiles(clientDir).map(
          createPolicyFinder(listPlacements(site), site),
        );
        freeLargeHeap();
        const redirects = listRedirects(registry);
        const index = await writeArena({
          outDir,
          clientDir,
          base,
          generatedAt,
          redirects,
          files,
          previous,
        });
        await previous.close();
        writeFileSync(join(outDir, buildFileNames.site), JSON.stringify(site));
        writeHostFiles(clientDir, files, redirects, logger);
        writeFileSync(join(cacheDir, COMPLETE_FILE), '');
        writeStamp(outDir, stamp);
        logger.info(`${formatQuantity(index.rows.length, 'file')} ready to serve`);
      },
    },
  };
}
