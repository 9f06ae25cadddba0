/**
 * The PRAGMAs of one connection to a file; they do not outlive it. FULL: a commit is on the disk
 * before it is acknowledged. secure_delete: erased data is overwritten. wal_autocheckpoint, in
 * pages: checkpoints run in the background; only if they cannot keep up, at 64 MB of log, does the
 * commit thread run one.
 */
export const pragmas =
  'PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=16000;';

/**
 * How long one statement waits for another writer, in ms. It blocks its thread, so it is short and
 * retries are made outside.
 */
export const busyTimeout = 100;

/**
 * How long a checkpoint that empties the log waits for readers, in ms; writers are blocked during
 * that time.
 */
export const TRUNCATE_WAIT_MS = 20;
