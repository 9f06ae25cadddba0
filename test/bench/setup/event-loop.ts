import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a server with `--import`: on SIGUSR2 writes the longest block of its event loop in milliseconds to the file
// that EVENT_LOOP_FILE names, and begins anew.
const RESOLUTION_MS = 5;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
process.on('SIGUSR2', () => {
  writeFileSync(process.env.EVENT_LOOP_FILE!, String(delays.max / 1e6));
  delays.reset();
});
