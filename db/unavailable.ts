/**
 * Why a database is unavailable. `missing`: no database was created yet; `gone`: the one that was
 * open is; `older`: it lacks migrations; `foreign`: it holds tables of another program or of an
 * unreleased build; `busy`: another writer held it past the deadline; `in_use`: another server has
 * it open; `closed`: this program is stopping.
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
    'There is no database at this place; set DATABASE_URL to the database of the service, or start the service, which creates it.',
  in_use:
    'Another server is using this database; stop it first, or set DATABASE_URL to another database. Several servers can share a libsql-server.',
  older:
    'The database was written by an older version of this program; start the service with this version, which updates it.',
  busy: 'The database is held by another writer; try again in a moment.',
  read_only:
    'The database cannot be written; give this program write access to the file and its folder.',
  full: 'The disk of the database is full; free some space.',
  low_space:
    'The disk of the database has less free space than MIN_FREE_DISK; free some space, then writes go on by themselves.',
  gone: 'The database file is not where it was; put it back.',
  unreachable:
    'The database cannot be reached; check its address, its access rights and whether it runs.',
  malformed: 'The database file is damaged or is not a database; restore a backup.',
  newer:
    'The database was written by a newer version of this program; start that version or restore an older backup.',
  foreign:
    'The database was made by another program or by an unreleased version of this one; set DATABASE_URL to a file or a database of its own, which may be new.',
  closed: 'The database is being closed; no more work is taken.',
};

/**
 * The database is unavailable; nothing was acknowledged. Transports return 503 with Retry-After.
 * The message is one sentence with the problem and its fix, without any written value.
 */
export class DatabaseUnavailable extends Error {
  readonly reason: UnavailableReason;

  /** `by` names the process that holds the database, if known. */
  constructor(
    reason: UnavailableReason,
    { by, ...options }: ErrorOptions & { by?: string | undefined } = {},
  ) {
    super(
      by === undefined
        ? messages[reason]
        : messages[reason].replace('Another server', `Another server (${by})`),
      options,
    );
    this.name = 'DatabaseUnavailable';
    this.reason = reason;
  }
}

/**
 * The meaning of a failed statement: the statement's own error, or the database's, and then whether
 * it certainly had no effect and can be retried.
 */
export type Fault =
  | { of: 'statement'; index: number | undefined }
  | { of: 'database'; reason: UnavailableReason; repeatable: boolean };

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
  // No connection was established, so nothing was sent.
  ECONNREFUSED: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
};

const neverSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

type Cause = Error & { code?: unknown; statementIndex?: unknown; reason?: UnavailableReason };

/** The error and its causes, outermost first. */
function* causes(error: unknown): Generator<Cause> {
  for (let current = error; current instanceof Error; current = current.cause) yield current;
}

/** Reads an error of the client, drizzle or fetch. */
export function faultOf(error: unknown): Fault {
  let index: number | undefined;
  let connectionLost = false;
  for (const cause of causes(error)) {
    if (cause instanceof DatabaseUnavailable)
      return { of: 'database', reason: cause.reason, repeatable: false };
    if (typeof cause.statementIndex === 'number') index ??= cause.statementIndex;
    const code = typeof cause.code === 'string' ? cause.code : '';
    const reason = reasonsByCode[code];
    if (reason)
      return { of: 'database', reason, repeatable: reason === 'busy' || neverSentCodes.has(code) };
    // Opening a file fails without a code; SQLite's number is at the end: 5 and 6 are busy and
    // locked.
    if (cause.message.startsWith('ConnectionFailed(')) {
      const busy = /: [56]"\)$/.test(cause.message);
      return { of: 'database', reason: busy ? 'busy' : 'unreachable', repeatable: busy };
    }
    connectionLost ||=
      cause.message === 'fetch failed' ||
      cause.name === 'TimeoutError' ||
      cause.name === 'AbortError';
  }
  // The connection broke midway: the write may have happened.
  if (connectionLost) return { of: 'database', reason: 'unreachable', repeatable: false };
  return { of: 'statement', index };
}

/** Whether a unique or primary key already existed. */
export function isDuplicate(error: unknown): boolean {
  return [...causes(error)].some(
    ({ code, message }) =>
      code === 'SQLITE_CONSTRAINT' && message.includes('UNIQUE constraint failed'),
  );
}
