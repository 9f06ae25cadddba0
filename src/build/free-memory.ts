import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees memory after a build phase; V8 would keep it until it needs the space. */
export function freeMemory(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as (how: object) => void)({
    type: 'major',
    execution: 'sync',
    flavor: 'last-resort',
  });
}

/** Heap size, in bytes, below which a garbage collection takes more time than it is worth. */
const LARGE = 384 * 2 ** 20;

/** Frees memory if the heap is large; in a small build, that would take a tenth of the time. */
export function freeLargeHeap(): void {
  if (getHeapStatistics().total_heap_size >= LARGE) freeMemory();
}
