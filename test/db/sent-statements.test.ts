import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { fileUrlOf } from '../../db/connection.ts';
import {
  type BoundStatement,
  StatementDecoder,
  StatementEncoder,
} from '../../db/sent-statements.ts';
import { shareLinks } from '../../db/schema-links.ts';
import { link, openTestDatabase, readTokensInFile, createDatabasePath } from './setup/database.ts';

const statements = (count: number, first = 0): BoundStatement[] =>
  Array.from({ length: count }, (_, index) => [`select ${first + index}`, [index]]);

it('statements arrive as sent, and each distinct text is sent only once', () => {
  const [sender, receiver] = [new StatementEncoder(), new StatementDecoder()];
  for (const group of [
    statements(3),
    statements(5),
    statements(600),
    statements(600, 300),
    statements(3),
  ])
    expect(receiver.decode(structuredClone(sender.encode(group)))).toEqual(group);
  expect(sender.encode(statements(3)).texts).toEqual([]);
});

it('statements arrive after a group of statements was lost', () => {
  const [sender, receiver] = [new StatementEncoder(), new StatementDecoder()];
  receiver.decode(sender.encode(statements(3)));
  sender.encode(statements(4, 2));
  sender.reset();
  expect(receiver.decode(sender.encode(statements(5)))).toEqual(statements(5));
});

it('a statement that cannot be sent to the thread fails alone, and later statements are written', async () => {
  const path = createDatabasePath();
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  const insert = (token: string) => database.writer.insert(shareLinks).values(link(token));
  const results = await Promise.allSettled([
    insert('a'),
    database.writer.run(sql`select ${() => 1}`),
    database.writer.run(sql`select ${'an unseen text'}`),
    insert('b'),
  ]);
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  await insert('c');
  expect([...(await readTokensInFile(path))]).toEqual(['a', 'b', 'c']);
});
