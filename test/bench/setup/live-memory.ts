import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Preloaded into a child process. Answers each message with the live heap in MB after garbage
// collection, because resident memory depends on when V8 last collected garbage.

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

process.on('message', () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  process.send!((heapUsed + external) / 2 ** 20);
});
process.channel?.unref();
