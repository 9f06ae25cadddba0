import type { Writer } from './writer.ts';

/** How long a commit proves that the database can be written, in ms. */
const SUCCESS_LIFETIME_MS = 60_000;
/** How long a failed commit counts before writing is tried again, in ms. */
const FAILURE_LIFETIME_MS = 5_000;

/** Writes a page without changing a row. */
const TEST_STATEMENTS = [
  "INSERT INTO secrets (name, value, created_at) VALUES ('write check', '', '')",
  "DELETE FROM secrets WHERE name = 'write check'",
];

/**
 * Tells whether the database can be written. Only a write shows it: a file system that became
 * read-only, or a full disk, still reads well and passes every check of access rights.
 */
export function writeCheck(writer: Writer): () => Promise<boolean> {
  let testWrite: Promise<unknown> | undefined;
  const tryToWrite = () =>
    (testWrite ??= writer
      .write(TEST_STATEMENTS)
      .catch(() => undefined)
      .finally(() => (testWrite = undefined)));
  return async () => {
    const { newest } = writer;
    const lifetime = newest?.failed ? FAILURE_LIFETIME_MS : SUCCESS_LIFETIME_MS;
    if (!newest || performance.now() - newest.at >= lifetime) await tryToWrite();
    return !writer.newest?.failed;
  };
}
