import { writeSync } from 'node:fs';
import { openDatabase } from '../../../db/index.ts';
import { shareLinks } from '../../../db/schema-links.ts';
import { link } from './share-link-row.ts';

// Writes rows concurrently for a given time and prints the token of each acknowledged row.
const [url, name, seconds, width] = process.argv.slice(2) as [string, string, string, string];
const database = await openDatabase({ url });
const end = performance.now() + Number(seconds) * 1000;
let next = 0;

async function write(): Promise<void> {
  while (performance.now() < end) {
    const token = `${name}-${next++}`;
    try {
      await database.writer.insert(shareLinks).values(link(token));
      writeSync(1, `${token}\n`);
    } catch {
      // Not acknowledged; the parent counts only acknowledged rows.
    }
  }
}

await Promise.all(Array.from({ length: Number(width) }, write));
await database.close();
