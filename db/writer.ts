import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { ResultSet } from '@libsql/client';
import type { Statement } from './client.ts';
import type { Committer } from './committer.ts';
import { DatabaseUnavailableError, faultOf } from './unavailable.ts';

/** A unit of statements that are committed together or not at all. */
interface PendingWrite {
  statements: Statement[];
  /** Deadline, in `performance.now()` time. */
  deadline: number;
  resolve: (results: ResultSet[]) => void;
  reject: (error: unknown) => void;
}

const limits = {
  /** Maximum number of statements in one commit. */
  statements: 256,
  /** Maximum number of units in the queue. */
  pendingWrites: 10_000,
  /** Timeout for a queued unit, in ms. */
  timeoutMs: 5_000,
};

/** The rows changed by one statement often share pages, so they are not all counted. */
const MAX_COUNTED_ROWS = 50;

/** The pause before the next attempt, in ms: exponential backoff with jitter. */
export const computeBackoffMs = (attempt: number): number =>
  Math.random() * Math.min(250, 10 * 2 ** attempt) + 5;

/**
 * The only way to write to the database. Units of statements wait in a first-in, first-out queue,
 * and all waiting units are committed as one group, with one disk sync. If a unit fails, only that
 * unit fails. One group is committed at a time.
 */
export class Writer {
  readonly #committer: Committer;
  readonly #onCommit: (changes: number) => void;
  #queue: PendingWrite[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;
  #commits = 0;
  #newest: { at: number; hasFailed: boolean } | undefined;

  /**
   * `onCommit` is called after each group, with the number of changed rows; a statement counts as
   * at least one and at most `MAX_COUNTED_ROWS`.
   */
  constructor(committer: Committer, onCommit: (changes: number) => void = () => undefined) {
    this.#committer = committer;
    this.#onCommit = onCommit;
  }

  /**
   * Number of groups committed so far. As long as this number stays the same, this process has
   * changed nothing.
   */
  get commitCount(): number {
    return this.#commits;
  }

  /**
   * The newest commit: its time according to `performance.now()`, and whether the database, rather
   * than a statement, failed. Undefined before the first commit.
   */
  get newestCommit(): { at: number; hasFailed: boolean } | undefined {
    return this.#newest;
  }

  /**
   * Queues one unit. @throws {DatabaseUnavailableError}, or the error of the unit's own statement
   */
  write(statements: Statement[]): Promise<ResultSet[]> {
    if (this.#closed) return Promise.reject(new DatabaseUnavailableError('closed'));
    if (this.#queue.length >= limits.pendingWrites)
      return Promise.reject(new DatabaseUnavailableError('busy'));
    return new Promise((resolve, reject) => {
      this.#queue.push({
        statements,
        resolve,
        reject,
        deadline: performance.now() + limits.timeoutMs,
      });
      this.#draining ??= this.#drain();
    });
  }

  /** Rejects new units and waits for queued units. */
  async stop(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length) {
      // Waiting one turn of the event loop collects writes from other requests.
      await nextTurn();
      await this.#commit(this.#takeGroup());
    }
    this.#draining = undefined;
  }

  #takeGroup(): PendingWrite[] {
    let statements = 0;
    const end = this.#queue.findIndex(
      (pendingWrite, index) =>
        (statements += pendingWrite.statements.length) > limits.statements && index > 0,
    );
    return this.#queue.splice(0, end < 0 ? this.#queue.length : end);
  }

  /** Commits a group and settles all its units; never rejects. */
  async #commit(group: PendingWrite[]): Promise<void> {
    for (let attempt = 0; group.length; attempt++) {
      try {
        const results = await this.#committer.commit(group.flatMap(({ statements }) => statements));
        this.#commits++;
        this.#newest = { at: performance.now(), hasFailed: false };
        this.#onCommit(
          results.reduce(
            (sum, { rowsAffected }) => sum + Math.min(MAX_COUNTED_ROWS, Math.max(1, rowsAffected)),
            0,
          ),
        );
        for (const { statements, resolve } of group) resolve(results.splice(0, statements.length));
        return;
      } catch (error) {
        const fault = faultOf(error);
        if (fault.target === 'statement') {
          await this.#separate(group, error, fault.index);
          return;
        }
        const now = performance.now();
        this.#newest = { at: now, hasFailed: true };
        const canRetry = (pendingWrite: PendingWrite) =>
          fault.isRetryable && pendingWrite.deadline > now;
        for (const pendingWrite of group)
          if (!canRetry(pendingWrite))
            pendingWrite.reject(new DatabaseUnavailableError(fault.reason, { cause: error }));
        group = group.filter(canRetry);
        if (group.length) await wait(computeBackoffMs(attempt));
      }
    }
  }

  /**
   * After a unit has failed, commits the units before it, then the failed unit alone, then the
   * units after it.
   */
  async #separate(group: PendingWrite[], error: unknown, index: number | undefined): Promise<void> {
    const [first, ...others] = group;
    if (!others.length) {
      first?.reject(error);
      return;
    }
    const parts =
      index === undefined
        ? group.map((pendingWrite) => [pendingWrite])
        : splitAtStatement(group, index);
    for (const part of parts) {
      await nextTurn();
      await this.#commit(part);
    }
  }
}

function splitAtStatement(group: PendingWrite[], index: number): PendingWrite[][] {
  let statementCount = 0;
  const position = group.findIndex(
    ({ statements }) => (statementCount += statements.length) > index,
  );
  return [
    group.slice(0, position),
    group.slice(position, position + 1),
    group.slice(position + 1),
  ].filter(({ length }) => length);
}
