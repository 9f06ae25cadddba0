import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees memory after a build phase; V8 would keep it until it needs the space. */
export function freeMemory(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as (options: object) => void)({
    type: 'major',
    execution: 'sync',
    flavor: 'last-resort',
  });
}

/** Heap size of a large build, in bytes. */
const LARGE_HEAP_BYTES = 384 * 2 ** 20;

/**
 * Frees memory if the heap is large. A build of 55 subsites has a 240 MB heap; collecting it three
 * times would take 1.15 of the build's 21 seconds of processor time.
 */
export function freeLargeHeap(): void {
  if (getHeapStatistics().total_heap_size >= LARGE_HEAP_BYTES) freeMemory();
}
