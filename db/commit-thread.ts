import { parentPort, workerData } from 'node:worker_threads';
import { FileCommits, type StatementResult } from './file-commits.ts';
import { type SentStatements, StatementReceiver } from './sent-statements.ts';
import { checkVersion } from './version.ts';

/** What the thread is started with. */
export interface CommitThreadData {
  path: string;
  /** When the newest migration of this program was written, ms since 1970. */
  version: number;
}

/** An error as it crosses threads, which copies an error without what is not in the standard. */
export interface CommitFault {
  name: string;
  message: string;
  code?: unknown;
  reason?: unknown;
  statementIndex?: unknown;
}

export type CommitAnswer = { results: StatementResult[] } | { fault: CommitFault };

// The thread that writes to a file: what it waits for, another writer or the disk, holds up nothing but writes. It is sent
// the statements of one commit at a time, or none, which only connects; it answers each.

const { path, version } = workerData as CommitThreadData;
const commits = new FileCommits(path, (value) => checkVersion(value, version));

const receiver = new StatementReceiver();

async function answer(sent: SentStatements | undefined): Promise<CommitAnswer> {
  try {
    if (sent) return { results: await commits.commit(receiver.receive(sent)) };
    await commits.ready();
    return { results: [] };
  } catch (thrown) {
    const { name, message, code, reason, statementIndex } = thrown as CommitFault;
    return { fault: { name, message, code, reason, statementIndex } };
  }
}

parentPort!.on('message', (message: SentStatements | 'connect' | 'close') => {
  if (message === 'close') {
    commits.close();
    parentPort!.close();
    return;
  }
  void answer(message === 'connect' ? undefined : message).then((result) => parentPort!.postMessage(result));
});
