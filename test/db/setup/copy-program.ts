import { backUpDatabase, restoreDatabase } from '../../../db/backup.ts';

// Backs up a database to a file, or restores it from one.
const [what, url, file] = process.argv.slice(2) as [string, string, string];
await (what === 'restore' ? restoreDatabase(file, { url }) : backUpDatabase({ url }, file));
