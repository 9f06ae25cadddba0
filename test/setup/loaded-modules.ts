import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Modules of the pages of a release, and what these import. */
const ofPages = new Set<string>();

/*
 * Loaded first by a program (node --import), this writes the URL of every module that it loads into
 * the file LOADED_MODULES. What renders the pages of a release is no part of the program, and is
 * left out.
 */
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const { parentURL = '' } = context;
    if (/\/releases\/[^/]+\/server\//.test(resolved.url) || ofPages.has(parentURL))
      ofPages.add(resolved.url);
    return resolved;
  },
  load(url, context, next) {
    if (!ofPages.has(url)) appendFileSync(process.env['LOADED_MODULES']!, `${url}\n`);
    return next(url, context);
  },
});
