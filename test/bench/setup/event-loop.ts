import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

// Preloaded into a server with `--import`. On SIGUSR2 it writes the longest event-loop block and
// the highest CPU time between two samples, in milliseconds, to EVENT_LOOP_FILE, and resets both.
// The block includes time spent in other programs.
const RESOLUTION_MS = 5;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

let maxCpuMs = 0;
let lastUsage = process.threadCpuUsage();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(lastUsage);
  lastUsage = process.threadCpuUsage();
  maxCpuMs = Math.max(maxCpuMs, (user + system) / 1_000);
}, RESOLUTION_MS).unref();

process.on('SIGUSR2', () => {
  writeFileSync(process.env.EVENT_LOOP_FILE!, `${delays.max / 1e6} ${maxCpuMs}`);
  delays.reset();
  maxCpuMs = 0;
});
