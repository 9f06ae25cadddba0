import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Modules that render the pages of a release, and their imports. */
const pageModules = new Set<string>();

/**
 * Preloaded with node --import: writes the URL of every module that a program loads to the file
 * LOADED_MODULES, except modules that render pages, which are not part of the program.
 */
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const { parentURL = '' } = context;
    if (/\/renderers\/[^/]+\/server\//.test(resolved.url) || pageModules.has(parentURL))
      pageModules.add(resolved.url);
    return resolved;
  },
  load(url, context, next) {
    if (!pageModules.has(url)) appendFileSync(process.env['LOADED_MODULES']!, `${url}\n`);
    return next(url, context);
  },
});
