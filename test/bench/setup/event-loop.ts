import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a server with `--import`: on SIGUSR2 writes to the file that EVENT_LOOP_FILE names
// the longest block of its event loop and the most processor time that its thread spent between two
// looks, both in milliseconds, and begins anew. The first also counts what other programs on the
// machine took away.
const RESOLUTION_MS = 5;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

let most = 0;
let last = process.threadCpuUsage();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(last);
  last = process.threadCpuUsage();
  most = Math.max(most, (user + system) / 1_000);
}, RESOLUTION_MS).unref();

process.on('SIGUSR2', () => {
  writeFileSync(process.env.EVENT_LOOP_FILE!, `${delays.max / 1e6} ${most}`);
  delays.reset();
  most = 0;
});
