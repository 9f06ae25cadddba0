import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Gives back what a phase left behind, for a phase that needs less: V8 itself would keep it until it needs the room. */
export function returnMemory(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as (how: object) => void)({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Paths between two looks at the memory in use. */
const EVERY = 16;
/** Growth after which what is not needed is given back, in bytes: a document about a whole large network leaves as much. */
const GROWTH = 256 * 1024 * 1024;

/** Keeps the memory of a long phase near what it needs, at the cost of a collection each time that it has grown by much. */
export function memoryKeeper(): { give(): void; check(): void } {
  let looks = 0;
  let least = Infinity;
  const give = () => {
    returnMemory();
    least = process.memoryUsage.rss();
  };
  return {
    give,
    check() {
      if (looks++ % EVERY) return;
      const used = process.memoryUsage.rss();
      if (used > least + GROWTH) give();
      else least = Math.min(least, used);
    },
  };
}
