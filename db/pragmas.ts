/**
 * The PRAGMAs of one connection to a file; they do not outlive it. FULL: a commit is on the disk
 * before it is acknowledged.
 * secure_delete: what was erased is overwritten. wal_autocheckpoint, in pages: the log is folded
 * into the file each 16 MB, since a page that many commits touch is then copied once.
 */
export const pragmas =
  'PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=4000;';

/**
 * How long one statement waits for another writer, in ms. It blocks its thread, so it is short and
 * retries are made outside.
 */
export const busyTimeout = 100;
