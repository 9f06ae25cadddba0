import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Client, LibsqlBatchError, type ResultSet } from '@libsql/client/sqlite3';
import type { Statement } from './client.ts';
import type { CommitResponse, CommitFault, CommitThreadData, ThreadTask } from './commit-thread.ts';
import { type FileAccess, FileConnection, type StatementResult } from './file-commits.ts';
import { type BoundStatement, StatementEncoder } from './sent-statements.ts';
import { createThreadLock, deleteThreadLock } from './thread-lock.ts';
import { type UnavailableReason, DatabaseUnavailableError } from './unavailable.ts';

/** Commits the writer's groups of statements, one at a time. */
export interface Committer {
  /**
   * Resolves when the database is writable. @throws {DatabaseUnavailableError} or the client's
   * error
   */
  connect: () => Promise<void>;
  /** Commits all statements or none. @throws {DatabaseUnavailableError} or the client's error */
  commit: (statements: Statement[]) => Promise<ResultSet[]>;
  close: () => Promise<void>;
}

/**
 * Commits through a client of libsql-server. It never reconnects because each request is
 * independent.
 */
export const createRemoteCommitter = (client: Client): Committer => ({
  async connect() {},
  commit: (statements) => client.batch(statements, 'write'),
  close: async () => client.close(),
});

function bindStatement(statement: Statement): BoundStatement {
  const [sql, args = []] =
    typeof statement === 'string'
      ? [statement]
      : Array.isArray(statement)
        ? statement
        : [statement.sql, statement.args];
  if (!Array.isArray(args))
    throw new TypeError('Values are bound by position; pass them as an array.');
  return [sql, args];
}

/** Maximum number of columns in a row; no statement returns more. */
const MAX_COLUMNS = 100;

/**
 * A row as @libsql/client returns it, with values by name (enumerable) and by position (not
 * enumerable).
 */
class Row {
  readonly #values: readonly unknown[];
  [column: string]: unknown;

  static {
    for (let index = 0; index < MAX_COLUMNS; index++)
      Object.defineProperty(this.prototype, index, {
        get(this: Row) {
          return this.#values[index];
        },
      });
  }

  constructor(columns: readonly string[], values: readonly unknown[]) {
    this.#values = values;
    for (const [index, name] of columns.entries())
      if (!(name in this)) this[name] = values[index];
      // A column name can be a number, as in “select 1”.
      else if (!Object.hasOwn(this, name))
        Object.defineProperty(this, name, { value: values[index], enumerable: true });
  }

  get length(): number {
    return this.#values.length;
  }
}

function toResultSet(result: StatementResult): ResultSet {
  const { columns, rows } = typeof result === 'number' ? { columns: [], rows: [] } : result;
  const resultSet = {
    columns,
    columnTypes: columns.map(() => ''),
    rows: rows.map((values) => new Row(columns, values) as ResultSet['rows'][number]),
    rowsAffected: typeof result === 'number' ? result : 0,
    lastInsertRowid: undefined,
  };
  return { ...resultSet, toJSON: () => resultSet };
}

/** Converts an error from the driver or the thread to the error that @libsql/client would throw. */
function toClientError({ name, message, code, reason, statementIndex }: CommitFault): Error {
  if (name === 'DatabaseUnavailableError')
    return new DatabaseUnavailableError(reason as UnavailableReason);
  if (typeof code !== 'string') return new Error(message);
  const [baseCode] = /^SQLITE_[A-Z]+/.exec(code) ?? [code];
  return new LibsqlBatchError(message, statementIndex as number, baseCode, code);
}

/**
 * Commits to a file in the calling thread, for a process that serves no requests, such as a
 * command; most commands finish before a thread would have started. `version` is the creation time
 * of the newest migration, in ms since 1970.
 */
export function createInThreadCommitter(
  path: string,
  version: number,
  access: FileAccess,
): FileCommitter {
  const connection = new FileConnection(path, version, access);
  return {
    connect: () => connection.connect(),
    async commit(statements) {
      const boundStatements = statements.map(bindStatement);
      try {
        return (await connection.commit(boundStatements)).map(toResultSet);
      } catch (error) {
        throw toClientError(error as CommitFault);
      }
    },
    checkpoint: () => connection.checkpoint(),
    truncate: () => connection.truncate(),
    close: async () => connection.close(),
  };
}

/** Runs transactions on a file. */
export interface FileCommitter extends Committer {
  /**
   * Copies the log into the file without blocking writers. @throws {DatabaseUnavailableError} or
   * the client's error
   */
  checkpoint: () => Promise<void>;
  /**
   * Checkpoints and empties the log if no other connection is reading it. @throws
   * {DatabaseUnavailableError} or the client's error
   */
  truncate: () => Promise<void>;
}

/**
 * The thread's module is next to this module, as TypeScript in the sources and as JavaScript in the
 * bundle.
 */
const COMMIT_THREAD_URL = new URL(`./commit-thread${extname(import.meta.url)}`, import.meta.url);

/**
 * How long a thread stays alive without work, in ms. It uses about 15 MB of memory and starts in a
 * few hundredths of a second.
 */
const IDLE_TIMEOUT_MS = 10_000;

/**
 * Runs transactions on a file in a separate thread, one at a time; `version` is the creation time
 * of the newest migration, in ms since 1970. The thread ends after `idleTimeoutMs` without work, and
 * starts again when it is needed.
 */
export function createWorkerCommitter(
  path: string,
  version: number,
  access: FileAccess,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
): FileCommitter {
  let thread: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  /** Resolves when the most recently ended thread has exited. */
  let endPromise: Promise<unknown> | undefined;
  let pendingRequest:
    | {
        worker: Worker;
        resolve: (response: CommitResponse) => void;
        reject: (error: Error) => void;
      }
    | undefined;
  let isClosed = false;
  const encoder = new StatementEncoder();

  /** The pending request may belong to a thread that was started while `worker` was ending. */
  const onThreadLost = (worker: Worker, error: unknown) => {
    if (worker === thread) thread = undefined;
    if (worker === pendingRequest?.worker)
      pendingRequest.reject(new DatabaseUnavailableError('unreachable', { cause: error }));
  };

  function startThread(): Worker {
    const lock = createThreadLock();
    const workerData: CommitThreadData = { path, version, access, lock };
    encoder.reset();
    const newThread = new Worker(COMMIT_THREAD_URL, { workerData });
    newThread.on('message', (response: CommitResponse) => pendingRequest?.resolve(response));
    newThread.on('error', (error) => onThreadLost(newThread, error));
    newThread.on('exit', () => {
      deleteThreadLock(lock);
      onThreadLost(newThread, new Error('The commit thread ended.'));
    });
    return newThread;
  }

  /**
   * Ends the thread once its work is done, and waits until it, or a thread that is already ending,
   * exits.
   */
  async function endThread(): Promise<void> {
    clearTimeout(idleTimer);
    const endingThread = thread;
    if (endingThread) {
      thread = undefined;
      endPromise = new Promise((resolve) => endingThread.once('exit', resolve));
      endingThread.ref();
      endingThread.postMessage('close');
    }
    await endPromise;
  }

  async function send(request: Statement[] | ThreadTask): Promise<StatementResult[]> {
    if (isClosed) throw new DatabaseUnavailableError('closed');
    clearTimeout(idleTimer);
    const worker = (thread ??= startThread());
    const message =
      typeof request === 'string' ? request : encoder.encode(request.map(bindStatement));
    worker.ref();
    try {
      const response = await new Promise<CommitResponse>((resolve, reject) => {
        pendingRequest = { worker, resolve, reject };
        worker.postMessage(message);
      });
      if ('fault' in response) throw toClientError(response.fault);
      return response.results;
    } catch (error) {
      // Sending may have failed because some values cannot be sent to a thread.
      encoder.reset();
      throw error;
    } finally {
      pendingRequest = undefined;
      // An idle thread must not keep the process alive.
      worker.unref();
      idleTimer = setTimeout(() => void endThread(), idleTimeoutMs).unref();
    }
  }

  const runTask = (task: ThreadTask) => async () => {
    await send(task);
  };
  return {
    connect: runTask('connect'),
    commit: async (statements) => (await send(statements)).map(toResultSet),
    checkpoint: runTask('checkpoint'),
    truncate: runTask('truncate'),
    async close() {
      isClosed = true;
      await endThread();
    },
  };
}
