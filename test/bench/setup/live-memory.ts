import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Imported into a process that has a channel to its parent: it answers each message with the MB of
// memory that are in use after all garbage is collected. Resident memory says more about when V8
// collected last than about what is kept.

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('message', () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.send!((heapUsed + external) / 2 ** 20);
});
process.channel?.unref();
