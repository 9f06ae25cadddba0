import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fileUrlOf } from '../../db/connection.ts';
import {
  type Database,
  DatabaseUnavailableError,
  isDuplicateKeyError,
  openDatabase,
} from '../../db/index.ts';
import { shareLinks } from '../../db/schema-links.ts';
import { leadHistory } from '../../db/schema.ts';
import { createLibsqlServer } from './setup/libsql-server.ts';
import { link, openTestDatabase, readStoredTokens } from './setup/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-db-'));
const server = await createLibsqlServer(folder);
beforeAll(() => server.start());
afterAll(async () => {
  await server.stop('SIGTERM');
  rmSync(folder, { recursive: true });
});

describe.each([
  ['a file', fileUrlOf(join(folder, 'frontage.db'))],
  ['libsql-server', server.url],
])('the writer on %s', (_kind, url) => {
  let database: Database;
  const insert = (token: string) => database.writer.insert(shareLinks).values(link(token));

  beforeEach(async () => {
    database = await openTestDatabase({ url });
    await database.writer.delete(shareLinks);
  });

  it('commits every acknowledged statement, many at a time', async () => {
    const tokens = Array.from({ length: 600 }, (_, index) => `row-${index}`);
    await Promise.all(tokens.map((token) => insert(token)));
    expect([...(await readStoredTokens(url))]).toEqual(tokens);
  });

  it('writes in the order of arrival', async () => {
    const settled: string[] = [];
    const tokens = ['first', 'second', 'third', 'fourth'];
    await Promise.all(tokens.map((token) => insert(token).then(() => settled.push(token))));
    expect(settled).toEqual(tokens);
    expect([...(await readStoredTokens(url))]).toEqual(tokens);
  });

  it('fails only the faulty write, wherever it is in its group', async () => {
    const tokens = ['a', 'a', 'b', 'c', 'b', 'd', 'a'];
    const results = await Promise.allSettled(tokens.map((token) => insert(token)));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    for (const result of results)
      if (result.status === 'rejected') expect(isDuplicateKeyError(result.reason)).toBe(true);
    expect([...(await readStoredTokens(url))]).toEqual(['a', 'b', 'c', 'd']);
  });

  it('commits or rolls back a batch as a whole, alongside other writes in its group', async () => {
    await insert('taken');
    const insertBatch = (...tokens: [string, ...string[]]) =>
      database.writer.batch(
        tokens.map((token) => insert(token)) as unknown as [ReturnType<typeof insert>],
      );
    const results = await Promise.allSettled([
      insertBatch('a', 'b'),
      insertBatch('c', 'taken', 'd'),
      insertBatch('e', 'f'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([...(await readStoredTokens(url))]).toEqual(['taken', 'a', 'b', 'e', 'f']);
  });

  it('lets the second statement of each batch see whether the first changed anything', async () => {
    await Promise.all([insert('new'), insert('old')]);
    const move = (token: string, from: string | null, to: string) =>
      database.writer.batch([
        database.writer
          .update(shareLinks)
          .set({ title: to })
          .where(sql`${shareLinks.token} = ${token} and ${shareLinks.title} is ${from}`),
        database.writer.run(
          sql`insert into share_links (token, digest, subsite, path, created_at) select ${`${token} ${to}`}, ${`${token} ${to}`}, 'hvac', '/hvac', 'now' where changes() > 0`,
        ),
      ]);
    const results = await Promise.all([
      move('new', null, 'one'),
      move('new', null, 'two'),
      move('old', 'one', 'three'),
      move('new', 'one', 'four'),
    ]);
    expect(results.map((each) => each.map(({ rowsAffected }) => rowsAffected))).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
      [1, 1],
    ]);
    expect([...(await readStoredTokens(url))]).toEqual(['new', 'old', 'new one', 'new four']);
  });

  it('fails only the write whose values cannot be stored', async () => {
    const results = await Promise.allSettled([
      insert('a'),
      database.writer.run(sql`select ${Number.NaN}`),
      insert('b'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([...(await readStoredTokens(url))]).toEqual(['a', 'b']);
  });

  it('enforces foreign keys', async () => {
    const orphanWrite = database.writer
      .insert(leadHistory)
      .values({ lead: 'nobody', status: 'new', at: 'now', actor: 'person' });
    await expect(orphanWrite).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' });
  });

  it('returns each statement’s own rows', async () => {
    const rows = await Promise.all(
      ['x', 'y', 'z'].map((token) => insert(token).returning({ token: shareLinks.token })),
    );
    expect(rows).toEqual([[{ token: 'x' }], [{ token: 'y' }], [{ token: 'z' }]]);
  });

  it('makes an acknowledged write immediately visible to the reader', async () => {
    await insert('seen');
    expect(
      await database.reader
        .select({ path: shareLinks.path })
        .from(shareLinks)
        .where(eq(shareLinks.token, 'seen')),
    ).toEqual([{ path: '/hvac' }]);
  });

  it('never includes the written values in an error', async () => {
    await insert('secret');
    const error: unknown = await insert('secret').then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const formatError = (value: unknown): string =>
      value instanceof Error
        ? `${value.stack}${JSON.stringify(value)}${formatError(value.cause)}`
        : '';
    expect(formatError(error)).toContain('UNIQUE');
    expect(formatError(error)).not.toContain('secret');
  });

  it('refuses interactive transactions, which would block every other writer', async () => {
    await expect(database.writer.transaction(async () => 1)).rejects.toThrow(
      'An interactive transaction is not supported here',
    );
  });

  it('finishes queued writes when it is closed, and refuses new writes', async () => {
    const queuedWrites = Promise.all(
      Array.from({ length: 300 }, (_, index) => insert(`late-${index}`).execute()),
    );
    const closed = database.close();
    await expect(insert('too late')).rejects.toMatchObject({
      name: 'DatabaseUnavailableError',
      reason: 'closed',
    });
    await queuedWrites;
    await closed;
    expect((await readStoredTokens(url)).size).toBe(300);
    await expect(database.reader.select().from(shareLinks)).rejects.toBeInstanceOf(
      DatabaseUnavailableError,
    );
    await expect(database.close()).resolves.toBeUndefined();
  });

  it('keeps its data when reopened', async () => {
    await insert('kept');
    await database.close();
    const reopenedDatabase = await openDatabase({ url });
    await reopenedDatabase.ping();
    expect(await reopenedDatabase.reader.$count(shareLinks)).toBe(1);
    await reopenedDatabase.close();
  });
});
