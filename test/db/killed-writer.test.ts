import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fileUrl } from '../../db/connection.ts';
import { runChild } from './setup/child-process.ts';
import { lost, openForTest, storedIn, temporaryFile } from './setup/database.ts';
import { randomTimes, repeatCount } from '../setup/seeds.ts';

it('keeps every acknowledged row when the writing process is killed repeatedly', async () => {
  const path = temporaryFile();
  const acknowledged: string[] = [];
  for (const [round, moment] of randomTimes(repeatCount(5, 10), 300).entries()) {
    const writer = runChild('write-program', [fileUrl(path), `round-${round}`, '30', '32']);
    await writer.waitForLines(1);
    await wait(moment);
    writer.process.kill('SIGKILL');
    await writer.ended;
    acknowledged.push(...writer.lines);
  }
  const database = await openForTest({ url: fileUrl(path) });
  await database.ping();
  expect(acknowledged.length).toBeGreaterThan(10);
  expect(lost(acknowledged, await storedIn(path))).toEqual([]);
});
