import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { createWorkerCommitter } from '../../db/committer.ts';
import { fileUrlOf } from '../../db/connection.ts';
import { openDatabase } from '../../db/index.ts';
import { readMigrations, versionsOf } from '../../db/migrate.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-idle-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Statements that change and read the file, by the access that they require. */
const statements = {
  read: 'SELECT count(*) FROM leads',
  write: "DELETE FROM secrets WHERE name = 'none' RETURNING name",
} as const;

/** Longer than the idle time after which a thread ends. */
const MAX_IDLE_MS = 15_000;

const version = versionsOf(readMigrations('db/migrations')).at(-1)!;

/** A committer for a new database. */
async function openCommitter(name: string, access: 'read' | 'write', idleTimeoutMs?: number) {
  const path = join(folder, `${name}.db`);
  await (await openDatabase({ url: fileUrlOf(path) })).close();
  return createWorkerCommitter(path, version, access, idleTimeoutMs);
}

/** Commits a statement in a new thread, whose idle time the test controls. */
async function commitInNewThread(
  committer: Awaited<ReturnType<typeof openCommitter>>,
  access: 'read' | 'write',
): Promise<Worker> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pendingThread = once(process, 'worker') as Promise<[Worker]>;
  expect(await committer.commit([statements[access]])).toHaveLength(1);
  const [thread] = await pendingThread;
  return thread;
}

it.for(['read', 'write'] as const)(
  'A thread that can %s ends when it is idle, and starts again when it is needed',
  async (access) => {
    const committer = await openCommitter(access, access);
    for (let round = 0; round < 2; round++) {
      const ended = once(await commitInNewThread(committer, access), 'exit');
      vi.advanceTimersByTime(MAX_IDLE_MS);
      expect(await ended).toEqual([0]);
    }
    await committer.close();
  },
);

it('Writes that arrive while an idle thread ends are committed once each, in their order', async () => {
  const writes = await openCommitter('ending', 'write', 0);
  const names = Array.from({ length: 8 }, (_, index) => `name ${String(index).padStart(2, '0')}`);
  for (const name of names) {
    await writes.commit([
      ['INSERT INTO secrets (name, value, created_at) VALUES (?, ?, ?)', [name, '', '']],
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const [found] = await writes.commit(['SELECT name FROM secrets ORDER BY rowid']);
  expect(found!.rows.map((row) => row[0])).toEqual(names);
  await writes.close();
});

it('Closing waits for an idle thread that is ending', async () => {
  const writes = await openCommitter('closing', 'write');
  const onExit = vi.fn();
  (await commitInNewThread(writes, 'write')).once('exit', onExit);
  vi.advanceTimersByTime(MAX_IDLE_MS);
  await writes.close();
  expect(onExit).toHaveBeenCalled();
});

it('A fault of a thread that is ending does not fail a write in the next thread', async () => {
  const writes = await openCommitter('fault', 'write');
  const thread = await commitInNewThread(writes, 'write');
  vi.advanceTimersByTime(MAX_IDLE_MS);
  const pendingResult = writes.commit([statements.write]);
  thread.emit('error', new Error('The thread failed while it ended.'));
  expect(await pendingResult).toHaveLength(1);
  await writes.close();
});
