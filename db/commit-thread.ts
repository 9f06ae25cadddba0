import { parentPort, workerData } from 'node:worker_threads';
import { type FileAccess, FileConnection, type StatementResult } from './file-commits.ts';
import { type EncodedStatements, StatementDecoder } from './sent-statements.ts';
import { acquireLock, releaseLock, type ThreadLock } from './thread-lock.ts';

/** The thread's start parameters. */
export interface CommitThreadData {
  path: string;
  /** Creation time of the program's newest migration, in ms since 1970. */
  version: number;
  access: FileAccess;
  lock: ThreadLock;
}

/**
 * An error's properties, copied because sending an Error to another thread would drop its
 * nonstandard ones.
 */
export interface CommitFault {
  name: string;
  message: string;
  code?: unknown;
  reason?: unknown;
  statementIndex?: unknown;
}

/** Thread tasks that take no statements. */
export type ThreadTask = 'connect' | 'checkpoint' | 'truncate';

export type CommitResponse = { results: StatementResult[] } | { fault: CommitFault };

// A thread that writes to a file, runs long reads or checkpoints the file's log, so that waiting
// for another writer, the disk or a long count does not delay requests. It receives a task or the
// statements of one transaction at a time, and responds to each.

const { path, version, access, lock } = workerData as CommitThreadData;
const connection = new FileConnection(path, version, access);
const decoder = new StatementDecoder();

const tasks: Readonly<Record<ThreadTask, () => Promise<void>>> = {
  connect: () => connection.connect(),
  checkpoint: () => connection.checkpoint(),
  truncate: () => connection.truncate(),
};

async function handleMessage(message: EncodedStatements | ThreadTask): Promise<CommitResponse> {
  acquireLock(lock);
  try {
    if (typeof message === 'object')
      return { results: await connection.commit(decoder.decode(message)) };
    await tasks[message]();
    return { results: [] };
  } catch (thrown) {
    const { name, message, code, reason, statementIndex } = thrown as CommitFault;
    return { fault: { name, message, code, reason, statementIndex } };
  } finally {
    releaseLock(lock);
  }
}

if (!parentPort) throw new Error('This module must run in a worker thread.');
const port = parentPort;
port.on('message', (message: EncodedStatements | ThreadTask | 'close') => {
  if (message === 'close') {
    connection.close();
    port.close();
    return;
  }
  void handleMessage(message).then((result) => port.postMessage(result));
});
