import { createRequire } from 'node:module';
import { codeOf } from './error-code.ts';
import { identifyFile } from './identity.ts';
import { BUSY_TIMEOUT_MS, LOCK_RETRY_MS, TRUNCATE_WAIT_MS, pragmas } from './pragmas.ts';
import type { BoundStatement } from './sent-statements.ts';
import { DatabaseUnavailableError } from './unavailable.ts';
import { checkVersion } from './version.ts';

/** The synchronous driver that @libsql/client uses; it ships without types. */
interface Driver {
  inTransaction: boolean;
  exec: (sql: string) => void;
  prepare: (sql: string) => PreparedStatement;
  close: () => void;
}

interface PreparedStatement {
  /** True if the statement returns rows. */
  reader: boolean;
  raw: () => PreparedStatement;
  columns: () => { name: string }[];
  all: (values: readonly unknown[]) => unknown[][];
  run: (values: readonly unknown[]) => { changes: number };
}

const Driver = createRequire(import.meta.url)('libsql') as new (
  path: string,
  options: { timeout: number },
) => Driver;

/** The result of a statement: the number of changed rows, or the returned rows. */
export type StatementResult = number | { columns: string[]; rows: unknown[][] };

/** The purpose of a connection. A read transaction sees one snapshot of the file. */
export type FileAccess = 'read' | 'write';

/**
 * Maximum number of cached prepared statements. Only statements that return no rows are cached; the
 * program has about a hundred, and creating a lead uses four.
 */
const MAX_PREPARED_STATEMENTS = 200;

/**
 * Converts a value for SQLite. @throws {RangeError} or {TypeError} for a value that SQLite would
 * store differently
 */
function toBindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) throw new TypeError('undefined cannot be stored.');
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError('Only finite numbers can be stored.');
  return value;
}

/** Copies as much of the log as possible without waiting. */
const PASSIVE_CHECKPOINT_SQL = 'PRAGMA wal_checkpoint(PASSIVE)';

/**
 * Maximum number of passes per checkpoint. Each pass copies only the writes made during the
 * previous pass. After a pass finds nothing new, the next write starts the log over.
 */
const MAX_PASSES = 4;

/**
 * A connection to a file that runs one transaction at a time, for writes or for long reads. It
 * caches the prepared statements of writes; @libsql/client would prepare them again for each use,
 * which costs more than running them. After any error, the connection is reopened before it is used again: a
 * failed step leaves an unfinished statement behind, and later commits would then be acknowledged
 * but never made (libsql-client-ts issue 352).
 */
export class FileConnection {
  readonly #path: string;
  readonly #version: number;
  readonly #prepared = new Map<string, PreparedStatement>();
  readonly #access: FileAccess;
  #driver: Driver | undefined;
  #identity: string | undefined;

  /** `version` is the creation time of the program's newest migration, in ms since 1970. */
  constructor(path: string, version: number, access: FileAccess) {
    this.#path = path;
    this.#version = version;
    this.#access = access;
  }

  /** Connects if necessary. @throws {DatabaseUnavailableError} or the driver's error */
  async connect(): Promise<void> {
    await this.#connect();
  }

  async #connect(): Promise<Driver> {
    if (this.#driver && this.#identity && this.#identity === identifyFile(this.#path))
      return this.#driver;
    this.close();
    // Checked first, because opening a missing file would create an empty one.
    if (!identifyFile(this.#path)) throw new DatabaseUnavailableError('gone');
    try {
      const driver = (this.#driver = new Driver(this.#path, { timeout: BUSY_TIMEOUT_MS }));
      driver.exec(this.#access === 'write' ? pragmas : `${pragmas} PRAGMA query_only=ON;`);
      await checkVersion(async (sql) => driver.prepare(sql).raw().all([])[0]?.[0], this.#version);
      if (this.#access === 'write') driver.exec(`PRAGMA busy_timeout=${LOCK_RETRY_MS}`);
      this.#identity = identifyFile(this.#path);
      return driver;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Runs statements atomically. When it resolves, their changes are on disk, in the file at the
   * path.
   * @throws {DatabaseUnavailableError}, or the driver's error with the `statementIndex` of the
   * failed statement
   */
  async commit(statements: readonly BoundStatement[]): Promise<StatementResult[]> {
    const driver = await this.#connect();
    const results: StatementResult[] = [];
    try {
      if (this.#access === 'write') this.#lock(driver);
      else this.#run(driver, 'BEGIN', []);
      for (const [sql, values] of statements) results.push(this.#run(driver, sql, values));
    } catch (error) {
      this.close();
      throw Object.assign(error as Error, { statementIndex: results.length });
    }
    try {
      this.#run(driver, 'COMMIT', []);
    } catch (error) {
      this.close();
      throw error;
    }
    if (identifyFile(this.#path) !== this.#identity) {
      this.close();
      throw new DatabaseUnavailableError('gone');
    }
    return results;
  }

  /**
   * Begins a write. SQLite's busy handler retries at growing intervals, so it misses the pauses in
   * another process's bulk write.
   */
  #lock(driver: Driver): void {
    const deadline = performance.now() + BUSY_TIMEOUT_MS;
    for (;;)
      try {
        // Unlike a prepared statement, exec leaves nothing unfinished when it fails.
        driver.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (codeOf(error) !== 'SQLITE_BUSY' || performance.now() > deadline) throw error;
      }
  }

  /**
   * Copies the log into the file without blocking writers. @throws {DatabaseUnavailableError} or
   * the driver's error
   */
  async checkpoint(): Promise<void> {
    await this.#checkpoint((driver) => {
      let previousLogLength: unknown;
      for (let pass = 1; pass <= MAX_PASSES; pass++) {
        // The length of the log when the pass began.
        const [[, logLength] = []] = driver.prepare(PASSIVE_CHECKPOINT_SQL).raw().all([]);
        if (logLength === previousLogLength) return;
        previousLogLength = logLength;
      }
    });
  }

  /**
   * Copies the log into the file and then empties it. If another connection is reading the log, the
   * log will be emptied next time. @throws {DatabaseUnavailableError} or the driver's error
   */
  async truncate(): Promise<void> {
    await this.#checkpoint((driver) => {
      driver.prepare(PASSIVE_CHECKPOINT_SQL).raw().all([]);
      driver.exec(`PRAGMA busy_timeout=${TRUNCATE_WAIT_MS}`);
      driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().all([]);
      driver.exec(`PRAGMA busy_timeout=${BUSY_TIMEOUT_MS}`);
    });
  }

  async #checkpoint(run: (driver: Driver) => void): Promise<void> {
    const driver = await this.#connect();
    try {
      run(driver);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Closes the connection; the next use opens it again. */
  close(): void {
    const driver = this.#driver;
    this.#driver = undefined;
    this.#identity = undefined;
    this.#prepared.clear();
    if (!driver) return;
    try {
      // A connection stays open until its last statement is garbage-collected, but it must not hold
      // the lock for that long.
      if (driver.inTransaction) driver.exec('ROLLBACK');
    } catch {
      // If the rollback fails, closing the connection ends the transaction.
    }
    driver.close();
  }

  #run(driver: Driver, sql: string, values: readonly unknown[]): StatementResult {
    const statement = this.#prepared.get(sql) ?? driver.prepare(sql);
    if (statement.reader) {
      const rows = statement.raw().all(values.map(toBindable));
      return { columns: statement.columns().map(({ name }) => name), rows };
    }
    const { changes } = statement.run(values.map(toBindable));
    this.#cacheStatement(sql, statement);
    return changes;
  }

  /** Caches a statement and evicts the oldest if the cache is full. */
  #cacheStatement(sql: string, statement: PreparedStatement): void {
    if (this.#prepared.has(sql)) return;
    this.#prepared.set(sql, statement);
    const [oldestSql] = this.#prepared.keys();
    if (this.#prepared.size > MAX_PREPARED_STATEMENTS && oldestSql !== undefined)
      this.#prepared.delete(oldestSql);
  }
}
