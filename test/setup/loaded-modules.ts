import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Loaded first by a program (node --import), this writes the URL of every module that it loads into the file LOADED_MODULES.
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env['LOADED_MODULES']!, `${url}\n`);
    return next(url, context);
  },
});
