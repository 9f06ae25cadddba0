import type { Writer } from './writer.ts';

/** How long a commit proves that the database can be written, in ms. */
const PROOF_MS = 60_000;
/** How long a failed commit counts before writing is tried again, in ms. */
const RETRY_MS = 5_000;

/** Writes a page without changing a row. */
const TRIAL = [
  "INSERT INTO secrets (name, value, created_at) VALUES ('write check', '', '')",
  "DELETE FROM secrets WHERE name = 'write check'",
];

/**
 * Tells whether the database can be written. Only a write shows it: a file system that became
 * read-only, or a full disk, still reads well and passes every check of access rights.
 */
export function writeCheck(writer: Writer): () => Promise<boolean> {
  let trial: Promise<unknown> | undefined;
  const tryToWrite = () =>
    (trial ??= writer
      .write(TRIAL)
      .catch(() => undefined)
      .finally(() => (trial = undefined)));
  return async () => {
    const { newest } = writer;
    const lifetime = newest?.failed ? RETRY_MS : PROOF_MS;
    if (!newest || performance.now() - newest.at >= lifetime) await tryToWrite();
    return !writer.newest?.failed;
  };
}
