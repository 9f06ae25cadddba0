import { openDatabase } from '../../../db/index.ts';

// Opens a database with a migrations folder, as a starting server does, and closes it.
const [url, migrations] = process.argv.slice(2) as [string, string];
await (await openDatabase({ url, migrationsFolder: migrations, createsFolder: true })).close();
