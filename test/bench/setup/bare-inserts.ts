import { createClient } from '@libsql/client';

// Inserts single rows with the bare client, WAL and synchronous FULL, and prints rows per second.
const [file, seconds] = process.argv.slice(2);
const client = createClient({ url: `file:${file}`, timeout: 1000 });
await client.execute('PRAGMA journal_mode=WAL');
await client.execute('PRAGMA synchronous=FULL');
await client.execute(
  'CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, token TEXT, body TEXT)',
);
const body = JSON.stringify({ issue: 'no_cool', zip: '33701', notes: 'Runs but does not cool.' });
const startedAt = performance.now();
let rows = 0;
while (performance.now() - startedAt < Number(seconds) * 1000) {
  await client.execute({
    sql: 'INSERT INTO bare (token, body) VALUES (?, ?)',
    args: [`token-${rows}`, body],
  });
  rows++;
  // A tight loop of awaits never yields to the event loop, so the client’s memory is not freed.
  if (rows % 200 === 0) await new Promise(setImmediate);
}
process.stdout.write(String((rows * 1000) / (performance.now() - startedAt)));
client.close();
