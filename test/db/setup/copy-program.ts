import { backUpDatabase, restoreDatabase } from '../../../db/backup.ts';

// Backs up a database to a file, or restores it from a file.
const [operation, url, file] = process.argv.slice(2) as [string, string, string];
await (operation === 'restore' ? restoreDatabase(file, { url }) : backUpDatabase({ url }, file));
