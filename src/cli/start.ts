import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Code is kept as it was compiled from start to start, which takes a quarter off; so it is loaded only after this.
enableCompileCache(join('node_modules', '.cache', 'frontage', 'compiled'));
await import('./start-service.ts');
