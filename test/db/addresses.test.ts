import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { describe, expect, it } from 'vitest';
import { filePathOf, fileUrlOf } from '../../db/connection.ts';
import { openDatabase } from '../../db/index.ts';
import { readSettings, SettingsError } from '../../src/settings.ts';
import { openTestDatabase, createTemporaryFolder } from './setup/database.ts';

describe('DATABASE_URL', () => {
  it.each([
    'file:',
    'file::memory:',
    'file::memory:?cache=shared',
    'file:x.db?mode=ro',
    'file:x.db%3Fmode=ro',
    'file:%zz',
    'file:~/x.db',
    'file:%7E/x.db',
    'file:$HOME/x.db',
    'file:%ff',
    'FILE:x.db',
    'x.db',
    './x.db',
    'libsql:',
    'libsql://',
    'libsql:example.com',
    'libsql://127.0.0.1?tls=0',
    'libsql://example.com?x=1',
    'http:example.com',
    'http://',
    'http://example.com?tls=1',
    'https://dana:secret@example.com',
    'https://example.com/#x',
    'postgres://example.com/x',
    'ws://example.com',
  ])(
    '%s is rejected with one sentence that suggests a valid value without repeating the invalid value',
    (url) => {
      expect(() => readSettings({ DATABASE_URL: url })).toThrow(
        new SettingsError(
          'DATABASE_URL: expected file: followed by the path of a file, such as file:./data/frontage.db, or a libsql:, http: or https: address of a server; write the whole path, because ~ and $NAME are not expanded.',
        ),
      );
    },
  );

  it.each([
    'file:x.db',
    'file:./data/x.db',
    'file:../x.db',
    'file:/x.db',
    'file:///x.db',
    'file://localhost/x.db',
    'file:a%20b#c.db',
    'libsql://example.com',
    'libsql://example.com?authToken=x',
    'libsql://127.0.0.1:8080?tls=0',
    'http://127.0.0.1:8080',
    'https://example.com/path',
  ])('%s is accepted by the setting and by the library', (url) => {
    expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
    if (url.startsWith('file:')) expect(filePathOf(url)).not.toBe('');
    else createClient({ url }).close();
  });
});

describe('another program’s database', () => {
  const foreign = {
    name: 'DatabaseUnavailableError',
    reason: 'foreign',
    message: expect.stringContaining('DATABASE_URL'),
  };
  it.each([
    ['with a table of the same name', ['CREATE TABLE leads (id INTEGER)']],
    ['with other tables', ['CREATE TABLE invoices (id INTEGER)']],
    [
      'with migrations of its own',
      [
        'CREATE TABLE leads (id INTEGER)',
        'CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
        "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 1)",
      ],
    ],
    [
      'of an unreleased version, whose migrations are unknown',
      [
        'CREATE TABLE leads (token TEXT PRIMARY KEY)',
        'CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
        "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('a', 1784000000000), ('b', 1785000000000)",
      ],
    ],
  ])('%s is rejected and left unchanged', async (_, statements) => {
    const url = fileUrlOf(join(createTemporaryFolder(), 'other.db'));
    const client = createClient({ url });
    for (const statement of statements) await client.execute(statement);
    const tables = async () =>
      (
        await client.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      ).rows.map(({ name }) => name);
    const tablesBefore = await tables();
    await expect(openDatabase({ url })).rejects.toMatchObject(foreign);
    await expect(openDatabase({ url, mustExist: true })).rejects.toMatchObject(foreign);
    expect(await tables()).toEqual(tablesBefore);
    client.close();
  });

  it('is not suspected because a companion tool has added its own tables', async () => {
    const url = fileUrlOf(join(createTemporaryFolder(), 'new.db'));
    const client = createClient({ url });
    await client.execute('CREATE TABLE _litestream_seq (id INTEGER)');
    client.close();
    await openTestDatabase({ url });
  });
});
