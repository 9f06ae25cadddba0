import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { PreviousArena } from './previous-arena.ts';
import { FILES_PER_JOB } from './pack-all.ts';
import { type PackResult, type PackJob } from './pack.ts';
import { type PackWorkers, startPackWorkers } from './pack-workers.ts';

/**
 * Number of files to hold back because the latest files may not be written yet. The arena packs
 * every file that is missing or incomplete here.
 */
const RECENT_FILE_COUNT = 200;

/** Packs files while others are being rendered, because rendering uses only one thread. */
export interface EarlyPacking {
  /** Adds a file that is about to be written; waits if the threads fall behind. */
  add: (file: PackJob['files'][number]) => Promise<void>;
  /**
   * Waits for the files being packed, and adds their bodies. Skips files whose packing has not
   * started.
   */
  end: () => Promise<void>;
  /** Deletes the packed files. */
  remove: () => Promise<void>;
}

/**
 * Packs added files into a separate file, which the arena reads. Does not pack bodies from the
 * previous build again.
 */
export function startEarlyPacking(
  path: string,
  { bodies, hashesByFile }: Pick<PreviousArena, 'bodies' | 'hashesByFile'>,
): EarlyPacking {
  const queuedFiles: PackJob['files'][number][] = [];
  const runningJobs = new Set<Promise<void>>();
  let offset = 0;
  let startPromise: Promise<{ workers: PackWorkers; file: FileHandle }> | undefined;

  async function start() {
    return {
      workers: startPackWorkers(
        Math.max(1, Math.min(7, availableParallelism() - 1)),
        new Set(bodies.keys()),
      ),
      file: await open(path, 'w+'),
    };
  }

  async function storeBodies({ files }: PackJob, { bytes, entries }: PackResult): Promise<void> {
    const { file } = await startPromise!;
    let position = offset;
    offset += bytes.length;
    await file.write(bytes, 0, bytes.length, position);
    for (const [index, [hash, lengths]] of entries.entries()) {
      hashesByFile.set(files[index]!.file, hash);
      if (!lengths) continue;
      if (!bodies.has(hash)) bodies.set(hash, { file, offset: position, lengths });
      position += lengths[0] + lengths[1] + lengths[2];
    }
  }

  return {
    async add(file) {
      queuedFiles.push(file);
      if (queuedFiles.length < FILES_PER_JOB + RECENT_FILE_COUNT) return;
      const batch = { files: queuedFiles.splice(0, FILES_PER_JOB) };
      const { workers } = await (startPromise ??= start());
      // The arena packs the remaining files and reports errors.
      const job = workers
        .run(batch)
        .then((result) => storeBodies(batch, result))
        .catch(() => undefined)
        .finally(() => runningJobs.delete(job));
      runningJobs.add(job);
      if (runningJobs.size >= workers.maxPending) await Promise.race(runningJobs);
    },
    async end() {
      await Promise.all(runningJobs);
      await (await startPromise)?.workers.stop();
    },
    async remove() {
      await (await startPromise)?.file.close();
      rmSync(path, { force: true });
    },
  };
}
