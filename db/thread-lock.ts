/** Shared memory with the lock that a thread holds while it uses the driver. */
export type ThreadLock = Int32Array<SharedArrayBuffer>;

const FREE = 0;
const HELD = 1;

/** Takes a lock, or gives up after `timeoutMs`. */
export function acquireLock(lock: ThreadLock, timeoutMs?: number): void {
  while (Atomics.compareExchange(lock, 0, FREE, HELD) === HELD)
    if (Atomics.wait(lock, 0, HELD, timeoutMs) === 'timed-out') return;
}

export function releaseLock(lock: ThreadLock): void {
  Atomics.store(lock, 0, FREE);
  Atomics.notify(lock, 0);
}

/** How long an exiting process waits for each thread, in ms. */
const EXIT_TIMEOUT_MS = 10_000;

const locks = new Set<ThreadLock>();

// When a process exits, Node ends its threads. The driver aborts the process (neon panics in
// external.rs with PendingException) if that happens while a statement is running.
process.on('exit', () => {
  for (const lock of locks) acquireLock(lock, EXIT_TIMEOUT_MS);
});

/** Creates the lock for a thread that this process starts. */
export function createThreadLock(): ThreadLock {
  const lock = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  locks.add(lock);
  return lock;
}

/** Deletes the lock of a thread that has ended. */
export const deleteThreadLock = (lock: ThreadLock): void => void locks.delete(lock);
