import { fdatasyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

// A thread that flushes the file that it is started with to the disk, again and again until it is
// ended.

/** Pause between two flushes, in ms. */
const PAUSE = 50;

if (!parentPort) throw new Error('This module is started as a thread.');
const file = openSync(workerData as string, 'r+');
parentPort.postMessage('open');
setInterval(() => fdatasyncSync(file), PAUSE);
