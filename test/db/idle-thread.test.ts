import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, expect, it } from 'vitest';
import { createWorkerCommitter } from '../../db/committer.ts';
import { fileUrlOf } from '../../db/connection.ts';
import { openDatabase } from '../../db/index.ts';
import { readMigrations, versionsOf } from '../../db/migrate.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-idle-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('A thread that only reads ends when it is idle, and starts again when it is needed', async () => {
  const path = join(folder, 'idle.db');
  await (await openDatabase({ url: fileUrlOf(path) })).close();
  const version = versionsOf(readMigrations('db/migrations')).at(-1)!;
  const reads = createWorkerCommitter(path, version, 'read', 1);
  const waitForThread = () => once(process, 'worker') as Promise<[Worker]>;
  for (let round = 0; round < 2; round++) {
    const pendingThread = waitForThread();
    const pendingCount = reads.commit(['SELECT count(*) FROM leads']);
    const [thread] = await pendingThread;
    const ended = once(thread, 'exit');
    expect((await pendingCount)[0]!.rows[0]![0]).toBe(0);
    expect(await ended).toEqual([0]);
  }
  await reads.close();
});
