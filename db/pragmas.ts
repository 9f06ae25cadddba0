/**
 * PRAGMAs to set on each new connection to a file, because they end with the connection.
 * synchronous=FULL: a commit is on disk before it is acknowledged. secure_delete: erased data is
 * overwritten. wal_autocheckpoint, in pages: checkpoints run in the background; the commit thread
 * runs a checkpoint only if they cannot keep up, at 64 MB of log.
 */
export const pragmas =
  'PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=16000;';

/**
 * How long a statement waits for another writer, in ms. The wait blocks the thread, so it is short
 * and the caller retries.
 */
export const BUSY_TIMEOUT_MS = 100;

/** Pause, in ms, before a write retries a lock that another process holds. */
export const LOCK_RETRY_MS = 2;

/**
 * How long a checkpoint that empties the log waits for readers, in ms; writers are blocked during
 * that time.
 */
export const TRUNCATE_WAIT_MS = 20;
