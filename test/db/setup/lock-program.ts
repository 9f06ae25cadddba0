import { once } from 'node:events';
import { createClient } from '@libsql/client';

// Holds the write lock of a database file, prints a line, and releases the lock at the end of
// input.
const client = createClient({ url: process.argv[2]!, timeout: 5_000 });
const transaction = await client.transaction('write');
process.stdout.write('held\n');
await once(process.stdin.resume(), 'end');
await transaction.rollback();
client.close();
