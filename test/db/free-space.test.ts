import { statfsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fileUrlOf } from '../../db/connection.ts';
import { shareLinks } from '../../db/schema-links.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { createContext } from '../../src/server/create-context.ts';
import { readHealth } from '../../src/server/health.ts';
import { createTestSite } from '../operations/setup/fixture.ts';
import { link, openTestDatabase, createDatabasePath } from './setup/database.ts';

const readFreeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
};

it('refuses every write before the disk is full, explains what to do, and keeps reading', async () => {
  const path = createDatabasePath();
  const databaseWithSpace = await openTestDatabase({ url: fileUrlOf(path), minFreeBytes: 1 });
  expect(databaseWithSpace.isLowOnSpace()).toBe(false);
  await databaseWithSpace.writer.insert(shareLinks).values(link('before'));
  await databaseWithSpace.close();

  const database = await openTestDatabase({
    url: fileUrlOf(path),
    minFreeBytes: 2 * readFreeBytes('/tmp'),
  });
  const refused = {
    name: 'DatabaseUnavailableError',
    reason: 'low_space',
    message:
      'The disk with the database has less free space than MIN_FREE_DISK; free some space, and writes will resume automatically.',
  };
  expect(database.isLowOnSpace()).toBe(true);
  const { writer } = database;
  await expect(writer.insert(shareLinks).values(link('after'))).rejects.toMatchObject(refused);
  await expect(writer.delete(shareLinks)).rejects.toMatchObject(refused);
  await expect(
    writer.batch([writer.select().from(shareLinks), writer.delete(shareLinks)]),
  ).rejects.toMatchObject(refused);
  for (const client of [database.reader, writer])
    expect((await client.select().from(shareLinks)).map(({ token }) => token)).toEqual(['before']);
  const site = createTestSite(loadRegistry('test/fixtures/network-of-four'));
  const context = createContext({
    isCustomerEmailEnabled: false,
    site,
    database,
    log: { info() {}, warn() {}, error() {} },
  });
  expect(await readHealth({ context, canDeliver: false, isStopping: () => false })).toEqual({
    status: 'degraded',
    disk: 'low',
  });
});
