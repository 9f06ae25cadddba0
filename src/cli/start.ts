import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { commandSettings } from './command-settings.ts';

// Code is kept as it was compiled from start to start, which takes a quarter off; so it is loaded only after this.
enableCompileCache(join(commandSettings('outDir').outDir, 'cache/compiled'));
await import('./start-service.ts');
