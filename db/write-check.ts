import type { Writer } from './writer.ts';

/** How long, in ms, a commit counts as proof that the database can be written to. */
const SUCCESS_LIFETIME_MS = 60_000;
/** How long, in ms, a failed commit counts as proof that it cannot be written to. */
const FAILURE_LIFETIME_MS = 5_000;

/** Writes a page without changing a row. */
const TEST_STATEMENTS = [
  "INSERT INTO secrets (name, value, created_at) VALUES ('write check', '', '')",
  "DELETE FROM secrets WHERE name = 'write check'",
];

/**
 * Tests whether the database can be written to. Only a write can show this: a file system that has
 * become read-only, or a full disk, still allows reads and passes every access check.
 */
export function createWriteCheck(writer: Writer): () => Promise<boolean> {
  let pendingTest: Promise<unknown> | undefined;
  const tryToWrite = () =>
    (pendingTest ??= writer
      .write(TEST_STATEMENTS)
      .catch(() => undefined)
      .finally(() => (pendingTest = undefined)));
  return async () => {
    const { newestCommit } = writer;
    const lifetimeMs = newestCommit?.hasFailed ? FAILURE_LIFETIME_MS : SUCCESS_LIFETIME_MS;
    if (!newestCommit || performance.now() - newestCommit.at >= lifetimeMs) await tryToWrite();
    return !writer.newestCommit?.hasFailed;
  };
}
