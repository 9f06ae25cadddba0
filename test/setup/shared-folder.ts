import { fileURLToPath } from 'node:url';

/**
 * Folder for the databases and bundles of function tests. Each run deletes what the previous one
 * left.
 */
export const sharedFolder = fileURLToPath(new URL('../../.build/shared-by-tests', import.meta.url));
