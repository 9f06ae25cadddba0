import { statfsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fileUrl } from '../../db/connection.ts';
import { shareLinks } from '../../db/schema.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { createContext } from '../../src/server/create-context.ts';
import { readHealth } from '../../src/server/health.ts';
import { siteOf } from '../operations/setup/fixture.ts';
import { link, openForTest, temporaryFile } from './setup/database.ts';

const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
};

it('refuses every write before the disk is full, explains what to do, and keeps reading', async () => {
  const path = temporaryFile();
  const databaseWithSpace = await openForTest({ url: fileUrl(path), minFreeBytes: 1 });
  expect(databaseWithSpace.isLowOnSpace()).toBe(false);
  await databaseWithSpace.writer.insert(shareLinks).values(link('before'));
  await databaseWithSpace.close();

  const database = await openForTest({ url: fileUrl(path), minFreeBytes: 2 * freeBytes('/tmp') });
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
  for (const reading of [database.reader, writer])
    expect((await reading.select().from(shareLinks)).map(({ token }) => token)).toEqual(['before']);
  const site = siteOf(loadRegistry('test/fixtures/network-of-four'));
  const context = createContext({ site, database, log: { info() {}, warn() {}, error() {} } });
  expect(await readHealth({ context, canDeliver: false, isStopping: () => false })).toEqual({
    status: 'degraded',
    disk: 'low',
  });
});
