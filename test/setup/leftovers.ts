import { fileURLToPath } from 'node:url';

/**
 * Folder of what tests of functions share, databases and bundles; a run removes what the last one
 * left.
 */
export const leftovers = fileURLToPath(new URL('../../.build/shared-by-tests', import.meta.url));
