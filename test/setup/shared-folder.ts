import { fileURLToPath } from 'node:url';

/**
 * Folder for the databases and bundles of function tests. Each run deletes the files of the
 * previous run.
 */
export const sharedFolder = fileURLToPath(new URL('../../.build/shared-by-tests', import.meta.url));
