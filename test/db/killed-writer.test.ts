import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fileUrlOf } from '../../db/connection.ts';
import { runChild } from './setup/child-process.ts';
import {
  findLostTokens,
  openTestDatabase,
  readTokensInFile,
  createDatabasePath,
} from './setup/database.ts';
import { generateRandomTimes, chooseRepeatCount } from '../setup/seeds.ts';

it('keeps every acknowledged row when the writing process is killed repeatedly', async () => {
  const path = createDatabasePath();
  const acknowledged: string[] = [];
  for (const [round, moment] of generateRandomTimes(chooseRepeatCount(5, 10), 300).entries()) {
    const writer = runChild('write-program', [fileUrlOf(path), `round-${round}`, '30', '32']);
    await writer.waitForLines(1);
    await wait(moment);
    writer.process.kill('SIGKILL');
    await writer.ended;
    acknowledged.push(...writer.lines);
  }
  const database = await openTestDatabase({ url: fileUrlOf(path) });
  await database.ping();
  expect(acknowledged.length).toBeGreaterThan(10);
  expect(findLostTokens(acknowledged, await readTokensInFile(path))).toEqual([]);
});
