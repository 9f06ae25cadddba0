import { fileURLToPath } from 'node:url';

/** Folder of the databases that tests of functions share; a run removes what the last one left. */
export const databases = fileURLToPath(new URL('../../.build/databases', import.meta.url));
