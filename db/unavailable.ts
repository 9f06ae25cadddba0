/**
 * Why a database is unavailable. `missing`: no database has been created yet; `gone`: the open file
 * was deleted or replaced; `older`: migrations are missing; `foreign`: it has tables from another
 * program or an unreleased build; `busy`: another writer locked it past the deadline; `in_use`:
 * another server has it open; `closed`: this program is stopping.
 */
export type UnavailableReason =
  | 'missing'
  | 'in_use'
  | 'older'
  | 'busy'
  | 'read_only'
  | 'full'
  | 'low_space'
  | 'gone'
  | 'unreachable'
  | 'malformed'
  | 'newer'
  | 'foreign'
  | 'closed';

const messages: Record<UnavailableReason, string> = {
  missing:
    'There is no database at DATABASE_URL; set it to the service’s database, or start the service, which creates a database.',
  in_use:
    'Another server is using this database; stop it first, or set DATABASE_URL to another database. Only a libsql-server database can be shared by more than one server.',
  older:
    'The database was written by an older version of this program; start the service with this version, which updates the database.',
  busy: 'Another process is writing to the database; try again in a moment.',
  read_only:
    'The database cannot be written to; give this program write access to the file and its folder, on a file system that is not read-only.',
  full: 'The disk with the database is full; free some space.',
  low_space:
    'The disk with the database has less free space than MIN_FREE_DISK; free some space, and writes will resume automatically.',
  gone: 'The database file was moved or deleted; put it back.',
  unreachable:
    'The database cannot be reached; check DATABASE_URL, its disk, and whether its server is running.',
  malformed: 'The database file is damaged or is not a database; restore a backup.',
  newer:
    'The database was written by a newer version of this program; start that version or restore an older backup.',
  foreign:
    'The database was created by another program or by an unreleased version of this program; set DATABASE_URL to a different database, which may be new.',
  closed: 'The database is closing and accepts no more work.',
};

/**
 * Thrown when the database is unavailable; nothing was acknowledged. Transports respond with 503
 * and Retry-After. The message explains in one sentence what is wrong and how to fix it, and
 * contains no written values.
 */
export class DatabaseUnavailableError extends Error {
  readonly reason: UnavailableReason;

  /**
   * `lockOwner` names the process that holds the database, if known; `problem` is the cause and the
   * fix, if more is known than the reason.
   */
  constructor(
    reason: UnavailableReason,
    {
      lockOwner,
      problem,
      ...options
    }: ErrorOptions & { lockOwner?: string | undefined; problem?: string } = {},
  ) {
    const message =
      problem === undefined ? messages[reason] : `The database cannot be opened: ${problem}`;
    super(
      lockOwner === undefined
        ? message
        : message.replace('Another server', `Another server (${lockOwner})`),
      options,
    );
    this.name = 'DatabaseUnavailableError';
    this.reason = reason;
  }
}

/**
 * Why a statement failed: because of the statement itself, or because of the database. In the
 * second case, `isRetryable` is true if the statement certainly had no effect and can be retried.
 */
export type Fault =
  | { target: 'statement'; index: number | undefined }
  | { target: 'database'; reason: UnavailableReason; isRetryable: boolean };

const reasonsByCode: Record<string, UnavailableReason> = {
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_PROTOCOL: 'busy',
  SQLITE_READONLY: 'read_only',
  SQLITE_PERM: 'read_only',
  SQLITE_FULL: 'full',
  SQLITE_IOERR: 'unreachable',
  SQLITE_CANTOPEN: 'unreachable',
  SQLITE_NOMEM: 'unreachable',
  SQLITE_NOLFS: 'full',
  SQLITE_AUTH: 'unreachable',
  SQLITE_CORRUPT: 'malformed',
  SQLITE_NOTADB: 'malformed',
  SQLITE_FORMAT: 'malformed',
  SERVER_ERROR: 'unreachable',
  HRANA_PROTO_ERROR: 'unreachable',
  HRANA_CLOSED_ERROR: 'unreachable',
  PROTOCOL_VERSION_ERROR: 'unreachable',
  INTERNAL_ERROR: 'unreachable',
  // The connection was reopened before the statement began.
  CLIENT_CLOSED: 'busy',
};

/** Codes of errors that occur before a connection exists, so nothing was sent. */
const UNSENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

type Cause = Error & { code?: unknown; statementIndex?: unknown; reason?: UnavailableReason };

/** The error and its causes, outermost first. */
function* iterateCauses(error: unknown): Generator<Cause> {
  for (let current = error; current instanceof Error; current = current.cause) yield current;
}

/** Classifies an error from the client, drizzle or fetch. */
export function faultOf(error: unknown): Fault {
  let index: number | undefined;
  let isConnectionLost = false;
  for (const cause of iterateCauses(error)) {
    if (cause instanceof DatabaseUnavailableError)
      return { target: 'database', reason: cause.reason, isRetryable: false };
    if (typeof cause.statementIndex === 'number') index ??= cause.statementIndex;
    const code = typeof cause.code === 'string' ? cause.code : '';
    const reason = UNSENT_CODES.has(code) ? 'unreachable' : reasonsByCode[code];
    if (reason)
      return {
        target: 'database',
        reason,
        isRetryable: reason === 'busy' || UNSENT_CODES.has(code),
      };
    // An error from opening a file has no code, but its message ends with SQLite's number: 5 is
    // busy, 6 is locked.
    if (cause.message.startsWith('ConnectionFailed(')) {
      const isBusy = /: [56]"\)$/.test(cause.message);
      return { target: 'database', reason: isBusy ? 'busy' : 'unreachable', isRetryable: isBusy };
    }
    isConnectionLost ||=
      cause.message === 'fetch failed' ||
      cause.name === 'TimeoutError' ||
      cause.name === 'AbortError';
  }
  // The connection broke midway, so the write may have happened.
  if (isConnectionLost) return { target: 'database', reason: 'unreachable', isRetryable: false };
  return { target: 'statement', index };
}

/** What is wrong with the database and how to fix it; undefined for any other error. */
export function describeDatabaseFault(error: unknown): string | undefined {
  const fault = faultOf(error);
  return fault.target === 'database' ? messages[fault.reason] : undefined;
}

/** True if a write failed because a unique or primary key already exists. */
export function isDuplicateKeyError(error: unknown): boolean {
  return [...iterateCauses(error)].some(
    ({ code, message }) =>
      code === 'SQLITE_CONSTRAINT' && message.includes('UNIQUE constraint failed'),
  );
}
